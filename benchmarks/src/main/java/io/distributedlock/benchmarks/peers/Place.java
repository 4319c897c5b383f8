package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.peer.Catalogue;

/** One figure of a comparison. */
record Place(String kase, String peer, String heading) {

    /** A figure of this library. */
    static Place ours(String kase, String heading) {
        return new Place(kase, Catalogue.OURS, heading);
    }

    /** The same figure of another peer. */
    Place of(String other) {
        return new Place(kase, other, heading);
    }

    /** The same figure in another case. */
    Place in(String other) {
        return new Place(other, peer, heading);
    }
}
