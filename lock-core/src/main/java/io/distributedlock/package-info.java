/**
 * Locks that several processes share: the API that users touch, and the engine behind it, which knows stores only by
 * their SPI.
 */
@NullMarked
package io.distributedlock;

import org.jspecify.annotations.NullMarked;
