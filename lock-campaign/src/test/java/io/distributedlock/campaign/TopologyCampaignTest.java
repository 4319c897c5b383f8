package io.distributedlock.campaign;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Many clients on several servers of which some are always on the way down or up. */
class TopologyCampaignTest {

    private static final Duration SHORTEST = Duration.ofSeconds(12);

    @Test
    void noInvariantIsBrokenBehindSentinels() {
        play(new SentinelTopology());
    }

    @Test
    void noInvariantIsBrokenInACluster() {
        play(new ClusterTopology());
    }

    @Test
    void noInvariantIsBrokenByLocksOfAllKindsInACluster() {
        TopologyCampaign.play(Work.KINDS, new ClusterTopology(), Budget.timeForKinds());
    }

    @Test
    void noInvariantIsBrokenByAQuorum() {
        play(new QuorumTopology());
    }

    private static void play(Topology opened) {
        Duration half = Budget.time().dividedBy(2);
        TopologyCampaign.play(Work.PLAIN, opened, half.compareTo(SHORTEST) > 0 ? half : SHORTEST);
    }
}
