package io.distributedlock.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts JCStress for {@link LeaseStress}, in the profile {@code stress}, whose compiler generates its loops. */
@Tag("long")
class LeaseStressTest {

    private static final String LIST = "/META-INF/TestList";

    @TempDir
    private Path folder;

    @Test
    void noThreadSeesWhatIsForbidden() throws Exception {
        String output = stress("LeaseStress.(?!Planted)");
        assertThat(output).contains("Failed tests: No matches", "Error tests: No matches", "4 matching test results");
    }

    @Test
    void plantedRacesAreFound() throws Exception {
        String failed = stress("LeaseStress.Planted");
        failed = failed.substring(failed.indexOf("Failed tests"));
        assertThat(failed).contains("PlantedFutureWithoutComparison", "PlantedDeadlineInTwoSteps");
    }

    private String stress(String tests) throws IOException, InterruptedException {
        assumeTrue(getClass().getResource(LIST) != null, "the profile stress generates what JCStress runs");
        Path output = folder.resolve("output");
        new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-t",
                        tests,
                        "-m",
                        "quick",
                        "-r",
                        folder.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(new File(output.toString()))
                .start()
                .waitFor();
        return Files.readString(output);
    }
}
