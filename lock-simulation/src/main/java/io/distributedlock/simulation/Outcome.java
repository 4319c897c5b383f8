package io.distributedlock.simulation;

import io.distributedlock.testkit.specification.Conformance;
import java.util.List;

/**
 * How a run has ended.
 *
 * @param cycles locks that were granted
 * @param scripts calls of scripts
 * @param digest the same for two runs in which the same happened
 * @param conformance whether the definition of a lock allows what happened, if no promise was broken before
 * @param broken the promises that did not hold
 */
record Outcome(
        long seed, long cycles, long faults, long scripts, long digest, Conformance conformance, List<String> broken) {}
