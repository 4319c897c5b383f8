package io.distributedlock.testkit.resp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a stream of bytes into whole RESP2 or RESP3 values, pushes included.
 *
 * <p>A stream that does not begin with such a value (TLS, inline commands) passes unframed, as it comes.
 */
public final class RespFrames {
    private static final int LIMIT = 64 << 20;
    private static final String LENGTH_LEADERS = "$!=";
    private static final String LEADERS = "+-:$*_#,(!=%~>|";

    private byte[] kept = new byte[0];
    private boolean begun;
    private boolean unframed;

    /** The values that these bytes complete, each with the bytes it came in. */
    public List<byte[]> add(byte[] bytes) {
        if (bytes.length == 0) {
            return List.of();
        }
        unframed |= !begun && LEADERS.indexOf(bytes[0]) < 0;
        begun = true;
        if (unframed) {
            return List.of(bytes);
        }
        byte[] all = concatenation(kept, bytes);
        List<byte[]> frames = new ArrayList<>();
        int from = 0;
        for (int end = end(all, from); end >= 0; end = end(all, from)) {
            frames.add(Arrays.copyOfRange(all, from, end));
            from = end;
        }
        kept = Arrays.copyOfRange(all, from, all.length);
        return frames;
    }

    /** The strings of a command; empty if the frame is none. */
    public static List<String> words(byte[] frame) {
        if (frame[0] != '*') {
            return List.of();
        }
        try {
            Object value = new RespReader(new ByteArrayInputStream(frame)).read();
            return value instanceof List<?> list
                    ? list.stream().map(String::valueOf).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("not an array of RESP2 values", e);
        }
    }

    /** The frame of a command of these words. */
    public static byte[] command(List<String> words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        appendLine(out, "*" + words.size());
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            appendLine(out, "$" + bytes.length);
            out.writeBytes(bytes);
            appendLine(out, "");
        }
        return out.toByteArray();
    }

    private static void appendLine(ByteArrayOutputStream out, String line) {
        out.writeBytes((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** The elements of an array, each in the bytes it came in; empty if the frame is none. */
    public static List<byte[]> elements(byte[] frame) {
        return frame[0] == '*'
                ? new RespFrames().add(Arrays.copyOfRange(frame, endOfLine(frame, 0), frame.length))
                : List.of();
    }

    /** The first string of an array or push; empty if there is none. */
    public static String firstWord(byte[] frame) {
        int begin = endOfLine(frame, 0);
        if ((frame[0] != '*' && frame[0] != '>') || begin >= frame.length || frame[begin] != '$') {
            return "";
        }
        int text = endOfLine(frame, begin);
        return new String(frame, text, Math.max(0, number(frame, begin, text)), StandardCharsets.UTF_8);
    }

    /** The end of the value that begins at {@code from}, or -1 if it is not complete. */
    private static int end(byte[] bytes, int from) {
        int at = from;
        for (long open = 1; open > 0; open--) {
            int next = endOfLine(bytes, at);
            if (next < 0) {
                return -1;
            }
            char leader = (char) bytes[at];
            if (LENGTH_LEADERS.indexOf(leader) >= 0) {
                int length = number(bytes, at, next);
                next += length < 0 ? 0 : length + 2;
            } else {
                open += parts(leader, bytes, at, next);
            }
            if (next > bytes.length) {
                return -1;
            }
            at = next;
        }
        return at;
    }

    /** How many further values belong to the one whose first line this is. */
    private static long parts(char leader, byte[] bytes, int at, int endOfLine) {
        return switch (leader) {
            case '*', '~', '>' -> Math.max(0, number(bytes, at, endOfLine));
            case '%' -> 2L * number(bytes, at, endOfLine);
            case '|' -> 2L * number(bytes, at, endOfLine) + 1;
            default -> {
                if (LEADERS.indexOf(leader) < 0) {
                    throw new IllegalStateException("byte " + (int) leader + " begins no RESP value");
                }
                yield 0;
            }
        };
    }

    private static int endOfLine(byte[] bytes, int from) {
        for (int i = from; i + 1 < bytes.length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return i + 2;
            }
        }
        return -1;
    }

    private static int number(byte[] bytes, int at, int endOfLine) {
        return Integer.parseInt(new String(bytes, at + 1, endOfLine - at - 3, StandardCharsets.US_ASCII));
    }

    private static byte[] concatenation(byte[] first, byte[] second) {
        if (first.length + second.length > LIMIT) {
            throw new IllegalStateException("a RESP value is longer than " + LIMIT + " bytes");
        }
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
