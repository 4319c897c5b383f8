package io.distributedlock.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the model checker says about one model, in a process of its own.
 *
 * @param name the model and its bounds, a file of docs/model without its ending
 * @param output all that the checker wrote, a counter-example included
 * @param time how long it took
 */
record ModelRun(String name, String output, Duration time) {

    private static final Path MODELS =
            Path.of("..", "docs", "model").toAbsolutePath().normalize();
    private static final String NO_MISTAKE = "Mistake = \"none\"";
    private static final Pattern STATES = Pattern.compile("(\\d+) states generated, (\\d+) distinct states found");
    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");
    private static final Pattern BREACH = Pattern.compile("Error: Invariant (\\w+) is violated");
    private static final Pattern PROMISES = Pattern.compile("^(?:INVARIANTS|PROPERTIES) (.*)$", Pattern.MULTILINE);

    /** Checks a model with its bounds, with a mistake planted in it unless that is empty. */
    static ModelRun of(String module, String bounds, String mistake, Path folder) {
        try (Stream<Path> files = Files.list(MODELS)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".tla")).toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
            String config = Files.readString(MODELS.resolve(bounds + ".cfg"), UTF_8);
            if (!mistake.isEmpty()) {
                config = config.replace(NO_MISTAKE, "Mistake = \"" + mistake + "\"");
            }
            Files.writeString(folder.resolve("checked.cfg"), config, UTF_8);
            long begin = System.nanoTime();
            Path output = folder.resolve("output");
            Process checker = new ProcessBuilder(command(module))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            checker.waitFor();
            Duration time = Duration.ofNanos(System.nanoTime() - begin);
            return new ModelRun(bounds, Files.readString(output, UTF_8), time);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the model was checked", e);
        }
    }

    private static List<String> command(String module) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx1500m", "-Djava.io.tmpdir=."));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("tlc2.TLC", "-nowarning", "-config", "checked.cfg", "-metadir", "states"));
        // One worker finds the shortest way to a broken promise, and the same one each time.
        command.addAll(List.of("-workers", "1", "-lncheck", "final", module + ".tla"));
        return command;
    }

    /** Whether all states were looked at and every promise holds in each. */
    boolean isSound() {
        return output.contains("Model checking completed. No error has been found.");
    }

    /** The promise that is broken; a temporal one has no name in the checker's output. */
    String breach() {
        Matcher breach = BREACH.matcher(output);
        if (breach.find()) {
            return breach.group(1);
        }
        if (output.contains("Temporal properties were violated")) {
            return "a promise about every waiter";
        }
        return output.contains("Deadlock reached") ? "no call gets stuck" : "";
    }

    /** The result as one line. */
    String line() throws IOException {
        String config = Files.readString(MODELS.resolve(name + ".cfg"), UTF_8);
        String promises = String.join(
                " ",
                PROMISES.matcher(config).results().map(each -> each.group(1)).toList());
        return "model: " + name + " states: " + last(STATES, 2) + " steps: " + last(STATES, 1) + " depth: "
                + last(DEPTH, 1) + " seconds: " + time.toSeconds() + " holds: " + promises;
    }

    String states() {
        return last(STATES, 2);
    }

    private String last(Pattern pattern, int group) {
        return pattern.matcher(output)
                .results()
                .reduce((one, next) -> next)
                .map(each -> each.group(group))
                .orElse("?");
    }
}
