package io.distributedlock.benchmarks.peers;

import java.util.List;

/**
 * The table of a scenario.
 *
 * @param main the heading whose spread is shown, and whose ratios are
 * @param floor the peer whose figure is the floor
 * @param others the further headings; one that no line has a value for is left out
 * @param targets what this library promises
 */
record Layout(String main, String floor, List<String> others, List<Target> targets) {}
