/** One cycle of acquire and release of a free lock, measured by JMH. */
@NullMarked
package io.distributedlock.benchmarks.cycle;

import org.jspecify.annotations.NullMarked;
