/** The time of a simulation, the clocks of its processes, and its dice. */
@NullMarked
package io.distributedlock.simulation.clock;

import org.jspecify.annotations.NullMarked;
