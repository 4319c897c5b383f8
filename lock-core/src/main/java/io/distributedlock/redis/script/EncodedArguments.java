package io.distributedlock.redis.script;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** A command about one key, which comes first. */
    static CommandArgs<String, String> ofCommand(String key, String... arguments) {
        return new Sent(null, new EncodedArguments(key, List.of(), List.of(key), List.of(arguments)));
    }

    /**
     * A call of a script.
     *
     * @param script its digest or its text
     */
    CommandArgs<String, String> of(String script) {
        return new Sent(script, this);
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

    private static void append(ByteBuf target, String argument) {
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

    /** A duration as the scripts and commands take it: in milliseconds, and at least one, because Redis refuses 0. */
    public static String millis(Duration ttl) {
        return String.valueOf(Math.max(1, ttl.toMillis()));
    }

    /** As the driver takes them. They may be sent more than once: a Cluster can redirect a command. */
    private static final class Sent extends CommandArgs<String, String> {

        private final @Nullable String script;
        private final EncodedArguments arguments;

        /** @param script null for a command that is none */
        Sent(@Nullable String script, EncodedArguments arguments) {
            super(StringCodec.UTF8);
            this.script = script;
            this.arguments = arguments;
            // By which the driver finds the node in a Cluster.
            addKey(arguments.firstKey);
        }

        @Override
        public int count() {
            return (script == null ? 0 : 1) + arguments.count;
        }

        @Override
        public void encode(ByteBuf target) {
            if (script != null) {
                append(target, script);
            }
            target.writeBytes(arguments.encoded);
        }
    }
}
