package io.distributedlock.simulation;

import java.util.List;

/**
 * How a run has ended.
 *
 * @param cycles locks that were granted
 * @param scripts calls of scripts
 * @param digest the same for two runs in which the same happened
 * @param broken the promises that did not hold
 */
record Outcome(long seed, long cycles, long faults, long scripts, long digest, List<String> broken) {}
