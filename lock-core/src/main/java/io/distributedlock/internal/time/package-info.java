/** The only source of time: a monotonic clock with its timers, deadlines, and the detection of suspended machines. */
@NullMarked
package io.distributedlock.internal.time;

import org.jspecify.annotations.NullMarked;
