package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.peer.Catalogue;

/** One figure of a comparison. */
record FigureKey(String kase, String peer, String heading) {

    /** A figure of this library. */
    static FigureKey ours(String kase, String heading) {
        return new FigureKey(kase, Catalogue.OURS, heading);
    }

    /** The same figure of another peer. */
    FigureKey of(String other) {
        return new FigureKey(kase, other, heading);
    }

    /** The same figure in another case. */
    FigureKey in(String other) {
        return new FigureKey(other, peer, heading);
    }
}
