/**
 * A Redis in memory whose clock the simulation moves. It runs the real scripts, with the few commands that they and the
 * clients use; a test holds it against a real server.
 */
@NullMarked
package io.distributedlock.simulation.server;

import org.jspecify.annotations.NullMarked;
