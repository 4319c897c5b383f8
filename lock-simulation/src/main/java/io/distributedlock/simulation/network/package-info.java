/** The network between the processes and the server: the driver's own connections on channels that the clock moves. */
@NullMarked
package io.distributedlock.simulation.network;

import org.jspecify.annotations.NullMarked;
