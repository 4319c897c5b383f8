package io.distributedlock.redis.script;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;

/**
 * The keys and arguments of a command as they go over the line, encoded by the calling thread. The driver would
 * encode each single one on the connection's own thread, which all callers share: at full load that thread is the
 * limit. What is called again and again is encoded once.
 */
public final class EncodedArguments {

    private static final int RADIX = 10;

    private final String firstKey;
    private final int count;
    private final byte[] encoded;

    /** Of a script. */
    public EncodedArguments(List<String> keys, List<String> arguments) {
        this(keys.get(0), List.of(String.valueOf(keys.size())), keys, arguments);
    }

    private EncodedArguments(String firstKey, List<String> before, List<String> keys, List<String> arguments) {
        this.firstKey = firstKey;
        this.count = before.size() + keys.size() + arguments.size();
        this.encoded = new byte[size(before) + size(keys) + size(arguments)];
        ByteBuf target = Unpooled.wrappedBuffer(encoded).clear();
        append(target, before);
        append(target, keys);
        append(target, arguments);
    }

    /** Of a command about one key, which comes first. */
    static EncodedArguments ofCommand(String key, String... arguments) {
        return new EncodedArguments(key, List.of(), List.of(key), List.of(arguments));
    }

    private static int size(List<String> arguments) {
        int size = 0;
        for (int i = 0; i < arguments.size(); i++) {
            size += size(arguments.get(i));
        }
        return size;
    }

    private static int size(String argument) {
        int bytes = ByteBufUtil.utf8Bytes(argument);
        return "$\r\n\r\n".length() + digits(bytes) + bytes;
    }

    private static int digits(int number) {
        return number < RADIX ? 1 : 1 + digits(number / RADIX);
    }

    private static void append(ByteBuf target, List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            append(target, arguments.get(i));
        }
    }

    static void append(ByteBuf target, String argument) {
        int bytes = ByteBufUtil.utf8Bytes(argument);
        target.writeByte('$');
        appendDigits(target, bytes);
        endLine(target);
        ByteBufUtil.reserveAndWriteUtf8(target, argument, bytes);
        endLine(target);
    }

    private static void appendDigits(ByteBuf target, int number) {
        if (number >= RADIX) {
            appendDigits(target, number / RADIX);
        }
        target.writeByte('0' + number % RADIX);
    }

    private static void endLine(ByteBuf target) {
        target.writeByte('\r').writeByte('\n');
    }

    /** By which the driver finds the node in a Cluster. */
    String firstKey() {
        return firstKey;
    }

    int count() {
        return count;
    }

    void appendTo(ByteBuf target) {
        target.writeBytes(encoded);
    }

    /** A duration as the scripts and commands take it: in milliseconds, and at least one, because Redis refuses 0. */
    public static String millis(Duration ttl) {
        return String.valueOf(Math.max(1, ttl.toMillis()));
    }
}
