package io.distributedlock.testkit.specification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The models, their page, the specification and the code name the same things. */
class ModelStepsTests {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path MODELS = ROOT.resolve(Path.of("docs", "model"));
    private static final Pattern NAME = Pattern.compile("`([\\w.]+)`");
    private static final Pattern STEP = Pattern.compile("(\\w+)(?:\\(c\\))?");
    private static final int CODE = 3;

    @Test
    void everyStepOfTheSpecificationIsInAModelAndNoOtherIsNamed() throws IOException {
        assertThat(column(2))
                .isEqualTo(Stream.of(Step.values()).map(Step::name).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void everyStepOfAModelIsInTheTable() throws IOException {
        Set<String> steps = new TreeSet<>();
        for (String model : List.of("Lock", "HandOver", "Renewal", "Quorum")) {
            steps.addAll(stepsOf(Files.readString(MODELS.resolve(model + ".tla"), UTF_8)));
        }
        Set<String> inside = Set.of("Grant", "AskScript", "Queue", "Renewed", "LoseToOther", "Released");
        steps.addAll(inside);
        assertThat(column(1)).isEqualTo(steps);
    }

    @Test
    void whatTheTableNamesIsInTheCode() throws IOException {
        Set<String> files;
        try (Stream<Path> all = Files.walk(ROOT.resolve(Path.of("lock-core", "src", "main")))) {
            files = all.map(each -> each.getFileName().toString()).collect(Collectors.toSet());
        }
        assertThat(column(CODE))
                .isNotEmpty()
                .allMatch(name -> files.contains(name.endsWith(".lua") ? name : name + ".java"));
    }

    /** All names in a column of the table of steps. */
    private static Set<String> column(int number) throws IOException {
        String page = Files.readString(MODELS.resolve("README.md"), UTF_8);
        String table = page.substring(page.indexOf("| Model | Step of the specification | Code |"));
        return table.substring(0, table.indexOf("\n\n"))
                .lines()
                .skip(2)
                .map(row -> row.split("\\|")[number])
                .flatMap(cell -> NAME.matcher(cell).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The steps that the next-state relation of a model names. */
    private static Set<String> stepsOf(String model) {
        int begin = model.indexOf("Next == ");
        String next = model.substring(begin + "Next == ".length(), model.indexOf("\n\n", begin));
        return Stream.of(next.replaceAll("\\\\E \\w \\\\in \\w+ :", "").split("\\\\/"))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .map(each ->
                        STEP.matcher(each).results().findFirst().orElseThrow().group(1))
                .collect(Collectors.toSet());
    }
}
