package io.distributedlock.campaign.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two kinds of checks find each mistake for which two are named, and each is run until it finds it. A mistake in a
 * model
 * counts for the one in the sources that it mirrors; {@code ModelTest} plants it. {@code -Dmistakes=quorum} runs those
 * whose titles contain the word.
 */
class PlantedMistakesTable {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String SEED_SEARCH = "io.distributedlock.simulation.SeedSearch";
    private static final List<String> ON_ONE_THREAD =
            List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2");
    private static final String LAST_SEED = "300";
    private static final String CAMPAIGN = "SingleCampaignTest#noInvariantIsBrokenUnderAnyFault";
    private static final int AT_LEAST = 30;
    private static final Path MODELS = Path.of("..", "lock-model", "src", "test");

    @TempDir
    Path planted;

    static List<PlantedMistake> mistakes() {
        String word = System.getProperty("mistakes", "");
        return PlantedMistake.all().stream()
                .filter(mistake -> kinds(mistake) > 1 && mistake.title().contains(word))
                .toList();
    }

    private static int kinds(PlantedMistake mistake) {
        return mistake.others().size() + (mistake.tests().isEmpty() ? 0 : 1);
    }

    @Test
    void thereAreEnough() {
        assertThat(PlantedMistake.all())
                .filteredOn(mistake -> kinds(mistake) > 1)
                .hasSizeGreaterThanOrEqualTo(AT_LEAST);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsFoundByTwo(PlantedMistake mistake) throws Exception {
        PlantedCopy copy = new PlantedCopy(planted);
        copy.plant(mistake);
        List<String> found = new ArrayList<>();
        byTests(copy, "unit", mistake.tests()).ifPresent(found::add);
        for (String other : mistake.others()) {
            by(other, copy).ifPresent(found::add);
        }
        System.out.println("mutant: " + mistake.title() + " | caught by: " + String.join(", ", found));
        assertThat(found).as("what has found it").hasSizeGreaterThanOrEqualTo(2);
    }

    private static Optional<String> by(String catcher, PlantedCopy copy) throws Exception {
        return switch (catcher) {
            case "simulator" -> bySimulator(copy);
            case "campaign" -> byTests(copy, "campaign", List.of(CAMPAIGN));
            default -> byModel(catcher);
        };
    }

    private static Optional<String> byTests(PlantedCopy copy, String kind, List<String> tests) throws Exception {
        PlantedCopy.Ending ending =
                copy.test(tests, LIMIT, "-Ddistributedlock.campaign.seconds=20", "-D" + NamedTests.LIMIT + "=2 m");
        assertThat(ending.code())
                .as("how these ended: %s%n%s", tests, String.join("\n", ending.lines()))
                .isIn(NamedTests.SOME_FAILED, NamedTests.ALL_PASSED, PlantedCopy.TOO_LATE);
        String after = String.format(Locale.ROOT, " %.1f s", ending.after().toMillis() / 1e3);
        return ending.code() == NamedTests.SOME_FAILED
                ? Optional.of(kind + " " + String.join(" ", tests) + after)
                : Optional.empty();
    }

    private static Optional<String> bySimulator(PlantedCopy copy) throws Exception {
        PlantedCopy.Ending ending = copy.run(SEED_SEARCH, LIMIT, ON_ONE_THREAD, LAST_SEED);
        return ending.lines().stream()
                .filter(line -> line.startsWith("simulator seed"))
                .findFirst();
    }

    /** As in {@code model Lock: no clean-up}. */
    private static Optional<String> byModel(String catcher) throws IOException {
        String planted = catcher.replaceFirst("^model ", "").replaceFirst(": ", ",") + "\"";
        Path test = MODELS.resolve(Path.of("java", "io", "distributedlock", "model", "ModelTest.java"));
        return Files.readString(test).contains("," + planted) ? Optional.of(catcher) : Optional.empty();
    }
}
