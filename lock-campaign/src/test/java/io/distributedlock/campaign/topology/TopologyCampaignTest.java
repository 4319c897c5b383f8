package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.CampaignLength;
import io.distributedlock.campaign.workload.WorkloadType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many clients on several servers of which some are always on the way down or up. */
class TopologyCampaignTest {

    @Test
    @Tag("long")
    void noInvariantIsBrokenBehindSentinels() {
        run(new SentinelTopology());
    }

    @Test
    @Tag("long")
    void noInvariantIsBrokenInACluster() {
        run(new ClusterTopology());
    }

    @Test
    @Tag("long")
    void noInvariantIsBrokenByLocksOfAllKindsInACluster() {
        TopologyCampaign.run(WorkloadType.KINDS, new ClusterTopology(), CampaignLength.timeForKinds());
    }

    @Tag("long")
    @Test
    void noInvariantIsBrokenByAQuorum() {
        run(new QuorumTopology());
    }

    @Test
    void noInvariantIsBrokenWithoutScripts() {
        TopologyCampaign.run(WorkloadType.UNFENCED, RentedTopology.withoutScripts(), CampaignLength.timeForTopology());
    }

    private static void run(Topology opened) {
        TopologyCampaign.run(WorkloadType.PLAIN, opened, CampaignLength.timeForTopology());
    }
}
