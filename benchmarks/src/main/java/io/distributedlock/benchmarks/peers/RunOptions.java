package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.benchmarks.peer.Trait;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a scenario is run with.
 *
 * @param peers who was chosen, in the order of the tables
 * @param deadline when no further round is begun
 * @param profile where flight recordings go
 * @param progress where to say what is going on
 */
record RunOptions(
        List<Peer> peers, Scale scale, Deadline deadline, Optional<ProfileFile> profile, PrintStream progress) {

    /** Those of the chosen who have all of these traits. */
    List<Peer> with(Trait... wanted) {
        Set<Trait> traits = Set.copyOf(Arrays.asList(wanted));
        return peers.stream().filter(each -> each.traits().containsAll(traits)).toList();
    }
}
