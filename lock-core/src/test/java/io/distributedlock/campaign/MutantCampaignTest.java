package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.history.CampaignReport;
import io.distributedlock.testkit.history.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check of the campaigns is checked itself: it finds every mistake that is made on purpose, and none where there is none. */
class MutantCampaignTest {

    private static final int MAX_TRIES = 5;
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

    @ParameterizedTest
    @EnumSource
    void aMistakeInTheProtocolIsFound(Mutant mutant) {
        CampaignReport report = null;
        for (int i = 0; i < MAX_TRIES && (report == null || !isCaught(mutant, report)); i++) {
            Trial trial = trial(mutant.scenario(), mutant, mutant + "-" + i, i);
            report = trial.run(mutant.scenario().length().multipliedBy(2), sofar -> isCaught(mutant, sofar));
        }
        assertThat(report.violations())
                .as("violations with the mistake: " + mutant.mistake())
                .anyMatch(mutant::explains);
        TABLE.add(mutant.mistake() + " | " + invariants(mutant, report) + " | " + report.cycles());
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
    void noMistakeIsFoundWhereThereIsNone(Scenario scenario) {
        int repetitions = Budget.isLong() ? 5 : 1;
        for (int i = 0; i < repetitions; i++) {
            Trial trial = trial(scenario, Mutation.NONE, scenario + "-" + i, i);
            CampaignReport report = trial.run(scenario.length(), sofar -> false);
            if (!report.violations().isEmpty()) {
                HistoryDump.write(folder(scenario + "-" + i), trial.history(), report);
            }
            assertThat(report.violations()).as(report.toString()).isEmpty();
            assertThat(report.cycles()).isPositive();
        }
    }

    private static Trial trial(Scenario scenario, Mutation mutation, String name, long seed) {
        return new Trial(server, scenario, mutation, seed, folder(name));
    }

    private static Path folder(String name) {
        return Path.of("target", "campaign", name);
    }
}
