package io.distributedlock.testkit.resp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads RESP2 values: text, {@link Long}, {@link List}, {@code null}, or a {@link RespError} as a value. */
final class RespReader {
    private final InputStream in;

    RespReader(InputStream in) {
        this.in = in;
    }

    @Nullable
    Object read() throws IOException {
        int type = nextByte();
        String line = line();
        return switch (type) {
            case '+' -> line;
            case '-' -> new RespError(line);
            case ':' -> Long.valueOf(line);
            case '$' -> bulk(Integer.parseInt(line));
            case '*' -> array(Integer.parseInt(line));
            default -> throw new ProtocolException("not a RESP2 value: type byte " + type + ", line '" + line + "'");
        };
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended inside a value of " + length + " bytes");
        }
        line();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> array(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            values.add(read());
        }
        return values;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = nextByte(); next != '\r'; next = nextByte()) {
            line.append((char) next);
        }
        nextByte();
        return line.toString();
    }

    private int nextByte() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the server closed the connection");
        }
        return next;
    }
}
