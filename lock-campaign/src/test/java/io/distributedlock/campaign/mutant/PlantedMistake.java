package io.distributedlock.campaign.mutant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A mistake as {@code planted-mistakes.txt} writes it.
 *
 * @param title what the mistake does
 * @param file the source file or script, below {@code lock-core/src/main}
 * @param tests the tests that fail, as {@code Class} or {@code Class#method}
 * @param others what else finds it, as the file says
 * @param changes what is replaced in the file, in order
 */
record PlantedMistake(String title, String file, List<String> tests, List<String> others, List<Change> changes) {

    private static final String TABLE = "planted-mistakes.txt";

    record Change(String removed, String added) {}

    static List<PlantedMistake> all() {
        try (InputStream table = PlantedMistake.class.getResourceAsStream(TABLE)) {
            String text = new String(table.readAllBytes(), UTF_8);
            return Arrays.stream(text.split("\n\n"))
                    .map(String::strip)
                    .filter(block -> block.startsWith("="))
                    .map(PlantedMistake::read)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static PlantedMistake read(String block) {
        List<Change> changes = new ArrayList<>();
        for (String change : block.split("\n--\n")) {
            changes.add(new Change(String.join("\n", lines(change, '-')), String.join("\n", lines(change, '+'))));
        }
        return new PlantedMistake(
                line(block, '='), line(block, '~'), stripped(block, '!'), stripped(block, '?'), changes);
    }

    private static String line(String block, char sign) {
        return stripped(block, sign).get(0);
    }

    private static List<String> stripped(String block, char sign) {
        return lines(block, sign).stream().map(String::strip).toList();
    }

    private static List<String> lines(String block, char sign) {
        return block.lines()
                .filter(line -> line.charAt(0) == sign)
                .map(line -> line.substring(1))
                .collect(Collectors.toList());
    }

    /** Returns the text with the mistake. Each change applies to exactly one place. */
    String plantedIn(String text) {
        String planted = text;
        for (Change change : changes) {
            int at = planted.indexOf(change.removed());
            if (at < 0 || at != planted.lastIndexOf(change.removed())) {
                throw new IllegalStateException("\"" + title + "\" changes a text that stands not exactly once in "
                        + file + ": follow the code in " + TABLE + ". The text is: " + change.removed());
            }
            planted = planted.substring(0, at)
                    + change.added()
                    + planted.substring(at + change.removed().length());
        }
        return planted;
    }

    @Override
    public String toString() {
        return title;
    }
}
