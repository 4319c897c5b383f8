package io.distributedlock.campaign.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.campaign.CampaignLength;
import io.distributedlock.campaign.HistoryDump;
import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.check.Violation;
import io.distributedlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The check of the campaigns is checked itself: it finds every mistake that is made on purpose, and none where there is
 * none.
 */
class MutantCampaignTest {

    private static final int MAX_TRIES = 5;
    private static final int REPETITIONS_OF_A_LONG_RUN = 2;
    private static final List<String> TABLE = new ArrayList<>();

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void printTable() {
        server.close();
        System.out.println("mutant | caught by | after cycles");
        TABLE.forEach(System.out::println);
    }

    /** The others of {@link #aMistakeInTheProtocolIsFound} take longer. */
    @ParameterizedTest
    @EnumSource(names = {"ONE_OWNER", "READERS_APART", "FLAG"})
    void aMistakeThatShowsQuicklyIsFound(Mutant mutant) {
        assertIsFound(mutant);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void aMistakeInTheProtocolIsFound(Mutant mutant) {
        assertIsFound(mutant);
    }

    private static void assertIsFound(Mutant mutant) {
        for (int seed = 0; seed < repetitions(); seed++) {
            CampaignReport report = hunt(mutant, seed);
            assertThat(report.violations())
                    .as("violations with the mistake: " + mutant.mistake())
                    .anyMatch(mutant::explains);
            TABLE.add(mutant.mistake() + " | " + invariants(mutant, report) + " | " + report.cycles());
        }
    }

    /** Runs until the mistake is found, a few times if it does not show at once. */
    private static CampaignReport hunt(Mutant mutant, int seed) {
        CampaignReport report = new CampaignReport(mutant.mistake(), 0, 0, List.of());
        for (int i = 0; i < MAX_TRIES && !isCaught(mutant, report); i++) {
            ScenarioRun run = run(mutant.scenario(), mutant, mutant.name(), (long) seed * MAX_TRIES + i);
            report = report.and(run.run(mutant.scenario().length().multipliedBy(2), sofar -> isCaught(mutant, sofar)));
        }
        return report;
    }

    private static int repetitions() {
        return CampaignLength.isLong() ? REPETITIONS_OF_A_LONG_RUN : 1;
    }

    private static boolean isCaught(Mutant mutant, CampaignReport report) {
        return report.violations().stream().anyMatch(mutant::explains);
    }

    private static String invariants(Mutant mutant, CampaignReport report) {
        return report.violations().stream()
                .filter(mutant::explains)
                .map(Violation::invariant)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void noMistakeIsFoundWhereThereIsNone(Scenario scenario) {
        long cycles = 0;
        for (int seed = 0; seed < repetitions() || (cycles == 0 && seed < MAX_TRIES); seed++) {
            ScenarioRun run = run(scenario, Mutation.NONE, scenario.name(), seed);
            CampaignReport report = run.run(scenario.length(), sofar -> false);
            if (!report.violations().isEmpty()) {
                HistoryDump.write(folder(scenario.name()), run.history(), report);
            }
            assertThat(report.violations()).as(report.toString()).isEmpty();
            cycles += report.cycles();
        }
        assertThat(cycles).isPositive();
    }

    private static ScenarioRun run(Scenario scenario, Mutation mutation, String name, long seed) {
        return new ScenarioRun(server, scenario, mutation, seed, folder(name));
    }

    private static Path folder(String name) {
        return Path.of("target", "campaign", name);
    }
}
