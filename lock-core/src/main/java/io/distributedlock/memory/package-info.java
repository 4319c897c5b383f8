/** Locks kept inside one process, for tests and for applications that run as a single instance. */
@NullMarked
package io.distributedlock.memory;

import org.jspecify.annotations.NullMarked;
