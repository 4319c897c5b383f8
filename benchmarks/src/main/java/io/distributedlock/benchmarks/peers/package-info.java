/** The comparison of speed: who takes part, in which scenarios, measured in rounds, and held against targets. */
@NullMarked
package io.distributedlock.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
