package io.distributedlock.redis;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.stream.Stream;

/**
 * The keys and arguments of a script's call as they go over the line, encoded by whoever calls. The driver would encode each single one on the
 * connection's own thread, which all callers share: at full load that thread is the limit. What is called again and again is encoded once.
 */
final class EncodedArguments {

    private static final int RADIX = 10;

    private final String firstKey;
    private final int count;
    private final byte[] encoded;

    EncodedArguments(List<String> keys, List<String> arguments) {
        List<String> all = Stream.of(List.of(String.valueOf(keys.size())), keys, arguments)
                .flatMap(List::stream)
                .toList();
        this.firstKey = keys.get(0);
        this.count = all.size();
        this.encoded = new byte[size(all)];
        ByteBuf target = Unpooled.wrappedBuffer(encoded).clear();
        all.forEach(argument -> append(target, argument));
    }

    private static int size(List<String> arguments) {
        int size = 0;
        for (String argument : arguments) {
            int bytes = ByteBufUtil.utf8Bytes(argument);
            size += "$\r\n\r\n".length() + digits(bytes) + bytes;
        }
        return size;
    }

    private static int digits(int number) {
        return number < RADIX ? 1 : 1 + digits(number / RADIX);
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
}
