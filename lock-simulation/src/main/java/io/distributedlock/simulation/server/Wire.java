package io.distributedlock.simulation.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The protocol of Redis. Each character of a text is one byte. */
final class Wire {

    private Wire() {}

    /** The commands in these bytes, which contain no part of one. */
    static List<String[]> commands(byte[] bytes) {
        List<String[]> commands = new ArrayList<>(1);
        int[] at = {0};
        while (at[0] < bytes.length) {
            String[] words = new String[number(bytes, at)];
            for (int i = 0; i < words.length; i++) {
                int length = number(bytes, at);
                words[i] = new String(bytes, at[0], length, ISO_8859_1);
                at[0] += length + 2;
            }
            commands.add(words);
        }
        return commands;
    }

    /** Skips a sign, and reads the number behind it to the end of its line. */
    private static int number(byte[] bytes, int[] at) {
        int number = 0;
        int i = at[0] + 1;
        for (; bytes[i] != '\r'; i++) {
            number = number * 10 + bytes[i] - '0';
        }
        at[0] = i + 2;
        return number;
    }

    static void append(ByteArrayOutputStream target, @Nullable Object reply, boolean resp3) {
        if (reply == null) {
            line(target, resp3 ? "_" : "$-1");
        } else if (reply instanceof Long number) {
            line(target, ":" + number);
        } else if (reply instanceof String text) {
            line(target, "$" + text.length());
            line(target, text);
        } else if (reply instanceof Reply.Status status) {
            line(target, "+" + status.text());
        } else if (reply instanceof Reply.Failure failure) {
            line(target, "-" + failure.text());
        } else if (reply instanceof Reply.Fields fields) {
            line(
                    target,
                    resp3
                            ? "%" + fields.parts().size() / 2
                            : "*" + fields.parts().size());
            fields.parts().forEach(each -> append(target, each, resp3));
        } else if (reply instanceof Reply.Push push) {
            line(target, (resp3 ? ">" : "*") + push.parts().size());
            push.parts().forEach(each -> append(target, each, resp3));
        } else {
            List<?> parts = (List<?>) reply;
            line(target, "*" + parts.size());
            parts.forEach(each -> append(target, each, resp3));
        }
    }

    private static void line(ByteArrayOutputStream target, String text) {
        target.writeBytes(text.getBytes(ISO_8859_1));
        target.write('\r');
        target.write('\n');
    }
}
