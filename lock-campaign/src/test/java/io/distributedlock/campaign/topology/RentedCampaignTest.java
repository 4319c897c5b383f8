package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.CampaignLength;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.provider.RentedServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Many clients behind the rules of each provider, and at a server whose other node has these rules. */
class RentedCampaignTest {

    @Test
    void noInvariantIsBrokenWhereAStricterNodeRefusesRenewalsAndReleases() {
        noInvariantIsBrokenByFailoversTo(RentedServer.NO_SCRIPTS);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(
            names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"},
            mode = Mode.EXCLUDE)
    void noInvariantIsBrokenBehind(RentedServer rented) {
        WorkloadType type = rented.runsScripts() ? WorkloadType.KINDS : WorkloadType.UNFENCED;
        TopologyCampaign.run(type, RentedTopology.behind(rented), CampaignLength.timeForKinds());
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(names = "BARE", mode = Mode.EXCLUDE)
    void noInvariantIsBrokenByFailoversTo(RentedServer rented) {
        WorkloadType type = rented.runsScripts() ? WorkloadType.KINDS : WorkloadType.UNFENCED;
        TopologyCampaign.run(type, RentedTopology.failingOverTo(rented), CampaignLength.timeForKinds());
    }
}
