/** Many locks held by one process for a while: what it costs to renew them. */
@NullMarked
package io.distributedlock.benchmarks.renewal;

import org.jspecify.annotations.NullMarked;
