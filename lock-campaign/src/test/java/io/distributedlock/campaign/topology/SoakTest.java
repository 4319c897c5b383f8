package io.distributedlock.campaign.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.campaign.CampaignLength;
import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.check.CampaignReport;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same clients in round after round of a campaign: what they and the servers keep in the end is what they kept
 * after the first minute.
 */
@Tag("soak")
class SoakTest {

    private static final Duration ROUND = Duration.ofMinutes(1);

    /** Queues and idle threads end within a minute. */
    private static final Duration REST = Duration.ofSeconds(65);

    /** One that clients remember until its end. */
    private static final LockRequest REMEMBERED =
            LockRequest.of("rest").withTtl(Duration.ofSeconds(6)).withWaitTime(Duration.ofSeconds(1));

    private static final Duration REFUSED_AFTER = Duration.ofMillis(200);

    private static final int LOOKS = 10;

    private static final Duration LONG_ENOUGH_TO_LEAK = Duration.ofMinutes(8);

    private final Pacer pacer = new Pacer();

    @Test
    void nothingPilesUpOnOneRedis() {
        assertNothingPilesUp(new SingleTopology());
    }

    @Test
    void nothingPilesUpBehindSentinels() {
        assertNothingPilesUp(new SentinelTopology());
    }

    @Test
    void nothingPilesUpInACluster() {
        assertNothingPilesUp(new ClusterTopology());
    }

    @Test
    void nothingPilesUpInAQuorum() {
        assertNothingPilesUp(new QuorumTopology());
    }

    private void assertNothingPilesUp(Topology opened) {
        try (Topology topology = opened;
                TopologyClients clients = TopologyClients.open(topology)) {
            assertThat(soak(topology, clients, CampaignLength.time())).isEmpty();
        }
    }

    @Test
    void aKeyAndAnEntryThatStayEvery10000CyclesAreReported() {
        try (LeakyTopology topology = new LeakyTopology();
                TopologyClients clients = TopologyClients.open(topology)) {
            List<String> grown = soak(topology, clients, LONG_ENOUGH_TO_LEAK);
            System.out.println("soak: leaked: " + topology.leaked() + " reported: " + grown);
            assertThat(grown).anyMatch(each -> each.startsWith("keys: "));
            assertThat(grown).anyMatch(each -> each.startsWith("objects of " + Claim.class.getName() + ": "));
        }
    }

    /** Returns what there is more of in the end, and prints its line. */
    private List<String> soak(Topology topology, TopologyClients clients, Duration length) {
        long rounds = length.dividedBy(ROUND);
        CampaignReport begin = rounds(1, topology, clients);
        Resources first = Resources.of(topology, clients);
        CampaignReport half = begin.and(rounds(rounds / 2 - 1, topology, clients));
        Resources middle = Resources.of(topology, clients);
        CampaignReport all = half.and(rounds(rounds - rounds / 2, topology, clients));
        Resources last = Resources.of(topology, clients);
        long cycles = all.cycles() - begin.cycles();
        long later = all.cycles() - half.cycles();
        for (int i = 0; i < LOOKS && !grown(first, cycles, middle, later, last).isEmpty(); i++) {
            pacer.pause(Duration.ofSeconds(6));
            last = Resources.of(topology, clients);
        }
        System.out.println("soak: topology: " + topology.name() + " seconds: " + length.toSeconds() + " cycles: "
                + all.cycles() + " faults: " + all.faults() + " violations: "
                + all.violations().size() + " " + first.to(last) + ", from the middle " + middle.to(last));
        List<String> grown = grown(first, cycles, middle, later, last);
        System.out.println("soak: grown: " + grown);
        assertThat(all.violations()).isEmpty();
        return grown;
    }

    /** Threads start, classes are loaded and caches filled for longer than a minute: half time counts for those. */
    private static List<String> grown(Resources first, long cycles, Resources middle, long later, Resources last) {
        return Stream.concat(
                        first.growthSinceTheFirstMinute(last, cycles).stream(), middle.growth(last, later).stream())
                .distinct()
                .toList();
    }

    /** Runs so many rounds, and returns when all has been at rest for a while. */
    private CampaignReport rounds(long count, Topology topology, TopologyClients clients) {
        CampaignReport report = new CampaignReport(topology.name(), 0, 0, List.of());
        for (long i = 0; i < count; i++) {
            report = report.and(TopologyCampaign.round(WorkloadType.PLAIN, topology, clients, ROUND));
        }
        rest(clients);
        return report;
    }

    /**
     * What clients remember for a while is forgotten with the next lock that they take, and with the next one that they
     * wait for.
     */
    private void rest(TopologyClients clients) {
        pacer.pause(REST);
        List<ClientUnderTest> all = clients.all();
        for (int i = 0; i < all.size(); i++) {
            ClientUnderTest next = all.get((i + 1) % all.size());
            try (LockHandle held = all.get(i).client().acquire(REMEMBERED)) {
                assertThat(next.client().tryAcquire(REMEMBERED.withWaitTime(REFUSED_AFTER)))
                        .as("beside %s", held)
                        .isEmpty();
            }
        }
        all.forEach(each -> each.tap().forget());
    }
}
