/** The contract between the engine and a place that keeps locks. */
@NullMarked
package io.distributedlock.spi;

import org.jspecify.annotations.NullMarked;
