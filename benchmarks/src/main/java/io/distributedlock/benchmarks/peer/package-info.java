/**
 * Everything whose speed is compared, each behind the same two calls and with as little of this module's own code
 * around them as possible.
 */
@NullMarked
package io.distributedlock.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
