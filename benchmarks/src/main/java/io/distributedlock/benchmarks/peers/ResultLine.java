package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.peer.Peer;

/** What was measured of one peer in one case of a scenario. */
record ResultLine(String kase, Peer peer, Series series) {}
