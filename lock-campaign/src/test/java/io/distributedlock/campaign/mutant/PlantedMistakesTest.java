package io.distributedlock.campaign.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests notice the mistakes that matter: each one is made in a copy of its source file, and the tests that are
 * named
 * beside it run with that copy in a process of their own.
 */
class PlantedMistakesTest {

    private static final Duration LIMIT = Duration.ofMinutes(15);

    @TempDir
    Path planted;

    static List<PlantedMistake> mistakes() {
        return PlantedMistake.all();
    }

    /** So that a mistake whose code has changed is noticed at once, not only where the mistakes are planted. */
    @ParameterizedTest
    @MethodSource("mistakes")
    void theCodeThatItChangesAndTheTestsExist(PlantedMistake mistake) throws IOException {
        String text = PlantedCopy.text(mistake);
        assertThat(mistake.plantedIn(text)).isNotEqualTo(text);
        assertThat(mistake.tests()).isNotEmpty().allSatisfy(test -> {
            String method = test.substring(test.indexOf('#') + 1);
            assertThat(Files.readString(PlantedCopy.source(test)))
                    .contains(test.contains("#") ? "void " + method + "(" : method);
        });
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    @Tag("long")
    void aMistakeIsNoticed(PlantedMistake mistake) throws Exception {
        PlantedCopy copy = new PlantedCopy(planted);
        copy.plant(mistake);
        assertThat(run(copy, mistake.tests())).as("tests that fail").isEqualTo(NamedTests.SOME_FAILED);
    }

    @Test
    @Tag("long")
    void theSameTestsPassWithoutAMistake() throws Exception {
        List<String> tests = mistakes().stream()
                .flatMap(mistake -> mistake.tests().stream())
                .distinct()
                .toList();
        assertThat(run(new PlantedCopy(planted), tests, "-D" + NamedTests.LIMIT + "=2 m"))
                .as("tests that fail")
                .isEqualTo(NamedTests.ALL_PASSED);
    }

    private static int run(PlantedCopy copy, List<String> tests, String... options) throws Exception {
        PlantedCopy.Ending ending = copy.test(tests, LIMIT, options);
        System.out.println(ending.lines().stream()
                .filter(line -> line.startsWith(NamedTests.PREFIX))
                .toList());
        return ending.code();
    }
}
