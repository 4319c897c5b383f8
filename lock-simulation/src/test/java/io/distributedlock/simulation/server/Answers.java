package io.distributedlock.simulation.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;

/** Commands as bytes, and the older protocol's answers as values. */
final class Answers {

    private final String text;
    private int at;

    private Answers(String text) {
        this.text = text;
    }

    static byte[] command(String... words) {
        StringBuilder bytes = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            bytes.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return bytes.toString().getBytes(ISO_8859_1);
    }

    static Object read(byte[] bytes) {
        return new Answers(new String(bytes, ISO_8859_1)).next();
    }

    private Object next() {
        char type = text.charAt(at++);
        int end = text.indexOf("\r\n", at);
        String line = text.substring(at, end);
        at = end + 2;
        return switch (type) {
            case '+' -> line;
            case '-' -> new Reply.Failure(line);
            case ':' -> Long.valueOf(line);
            case '$' -> bulk(Integer.parseInt(line));
            default -> array(Integer.parseInt(line));
        };
    }

    private String bulk(int length) {
        if (length < 0) {
            return null;
        }
        String bulk = text.substring(at, at + length);
        at += length + 2;
        return bulk;
    }

    private List<Object> array(int length) {
        List<Object> parts = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            parts.add(next());
        }
        return parts;
    }
}
