package io.distributedlock.testkit.history;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The form of an event as one line of text: its parts between tabs. */
public final class EventLine {
    private static final int PARTS = 8;

    private EventLine() {}

    public static String format(Event event) {
        return Stream.of(
                        event.kind().name(),
                        event.key(),
                        event.client(),
                        event.hold(),
                        Long.toString(event.nanos()),
                        Long.toString(event.value()),
                        event.owner(),
                        event.detail())
                .map(EventLine::escape)
                .collect(Collectors.joining("\t", "", "\n"));
    }

    static Event parse(String line) {
        List<String> parts =
                Stream.of(line.split("\t", -1)).map(EventLine::unescape).toList();
        if (parts.size() != PARTS) {
            throw new IllegalArgumentException(
                    "an event has " + PARTS + " parts, this line has " + parts.size() + ": " + line);
        }
        return new Event(
                EventKind.valueOf(parts.get(0)),
                parts.get(1),
                parts.get(2),
                parts.get(3),
                Long.parseLong(parts.get(4)),
                Long.parseLong(parts.get(5)),
                parts.get(6),
                parts.get(7));
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    private static String unescape(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next != '\\') {
                plain.append(next);
                continue;
            }
            i++;
            plain.append(
                    switch (text.charAt(i)) {
                        case 't' -> '\t';
                        case 'n' -> '\n';
                        case 'r' -> '\r';
                        default -> '\\';
                    });
        }
        return plain.toString();
    }
}
