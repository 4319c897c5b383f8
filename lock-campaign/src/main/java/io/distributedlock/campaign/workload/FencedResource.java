package io.distributedlock.campaign.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * What the locks protect: for each key the highest fencing token so far, in a file that all processes share. Lower ones
 * are refused.
 */
final class FencedResource {

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer words;

    private FencedResource(MappedByteBuffer words) {
        this.words = words;
    }

    static FencedResource open(Path file, int keys) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new FencedResource(channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) keys * Long.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException("could not map " + file, e);
        }
    }

    /**
     * Writes with this token, unless a higher one was here before.
     *
     * @return when the write was accepted, in the order of all accepted writes of this key; empty if it was refused
     */
    OptionalLong write(int key, long token) {
        while (true) {
            long highest = (long) WORD.getVolatile(words, key * Long.BYTES);
            if (token < highest) {
                return OptionalLong.empty();
            }
            long acceptedAt = System.nanoTime();
            if (WORD.compareAndSet(words, key * Long.BYTES, highest, token)) {
                return OptionalLong.of(acceptedAt);
            }
        }
    }
}
