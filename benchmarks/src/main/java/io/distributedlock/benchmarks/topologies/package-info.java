/** The same locks on one Redis and on a Cluster. */
@NullMarked
package io.distributedlock.benchmarks.topologies;

import org.jspecify.annotations.NullMarked;
