package io.distributedlock.redis;

import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;

/**
 * The arguments of a script's call, encoded by whoever calls. The driver would encode each single one on the connection's own thread, which all
 * callers share: at full load that thread is the limit.
 */
final class ScriptArgs extends CommandArgs<String, String> {

    /** What stands around each argument: a mark, its length, and two ends of lines. */
    private static final int FRAME = 14;

    private static final int RADIX = 10;

    private final ByteBuf encoded;
    private final int count;

    /** @param script the digest or the text */
    ScriptArgs(String script, List<String> keys, List<String> args) {
        super(PlainText.CODEC);
        String keyCount = String.valueOf(keys.size());
        count = 2 + keys.size() + args.size();
        encoded = Unpooled.wrappedBuffer(new byte[size(script) + size(keyCount) + size(keys) + size(args)])
                .clear();
        append(script);
        append(keyCount);
        keys.forEach(this::append);
        args.forEach(this::append);
        addKey(keys.get(0));
    }

    private static int size(List<String> arguments) {
        int size = 0;
        for (String argument : arguments) {
            size += size(argument);
        }
        return size;
    }

    private static int size(String argument) {
        return FRAME + ByteBufUtil.utf8Bytes(argument);
    }

    private void append(String argument) {
        int bytes = ByteBufUtil.utf8Bytes(argument);
        encoded.writeByte('$');
        appendDigits(bytes);
        endLine();
        ByteBufUtil.reserveAndWriteUtf8(encoded, argument, bytes);
        endLine();
    }

    private void appendDigits(int number) {
        if (number >= RADIX) {
            appendDigits(number / RADIX);
        }
        encoded.writeByte('0' + number % RADIX);
    }

    private void endLine() {
        encoded.writeByte('\r').writeByte('\n');
    }

    @Override
    public int count() {
        return count;
    }

    /** May be called more than once: a Cluster can send a command to another node. */
    @Override
    public void encode(ByteBuf target) {
        target.writeBytes(encoded, encoded.readerIndex(), encoded.readableBytes());
    }
}
