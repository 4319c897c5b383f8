/**
 * The program that replays lost replies and killed clients against each library, and looks what becomes of the lock.
 */
@NullMarked
package io.distributedlock.benchmarks.incident;

import org.jspecify.annotations.NullMarked;
