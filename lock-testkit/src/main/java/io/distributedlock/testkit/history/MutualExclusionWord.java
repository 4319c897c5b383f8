package io.distributedlock.testkit.history;

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
import java.util.function.LongPredicate;

/**
 * A detector of overlapping guarded work that needs no clock: one word for each key in a file that all processes of a
 * host map into their memory.
 *
 * <p>Who enters puts an id into the word if it is 0, and takes it out again at exit. Any thread may use it.
 */
public final class MutualExclusionWord {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer words;
    private final int keys;

    private MutualExclusionWord(MappedByteBuffer words, int keys) {
        this.words = words;
        this.keys = keys;
    }

    /** Maps the file with one word for each of the keys 0 to {@code keys - 1}; a new file has only free words. */
    public static MutualExclusionWord open(Path file, int keys) {
        // The mapping outlives the channel.
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer words = channel.map(FileChannel.MapMode.READ_WRITE, 0, (keys + 1L) * Long.BYTES);
            return new MutualExclusionWord(words, keys);
        } catch (IOException e) {
            throw new UncheckedIOException("could not map " + file, e);
        }
    }

    /**
     * Enters the guarded work of a key; empty if nobody was inside, else the id of who is, and the overlap is counted.
     *
     * @param id who enters, not 0, unique among those who may be inside at once
     */
    public OptionalLong enter(int key, long id) {
        long inside = (long) WORD.compareAndExchange(words, position(key), 0L, id);
        if (inside == 0) {
            return OptionalLong.empty();
        }
        WORD.getAndAdd(words, 0, 1L);
        return OptionalLong.of(inside);
    }

    /** Leaves the guarded work; false if it is not this id that is inside, as after an entry that overlapped. */
    public boolean exit(int key, long id) {
        return WORD.compareAndSet(words, position(key), id, 0L);
    }

    /** Takes out who can't leave any more: the ids of a killed process. */
    public void evict(LongPredicate ids) {
        for (int key = 0; key < keys; key++) {
            long inside = (long) WORD.getVolatile(words, position(key));
            if (inside != 0 && ids.test(inside)) {
                exit(key, inside);
            }
        }
    }

    /** How many entries of all processes have found somebody inside. */
    public long overlaps() {
        return (long) WORD.getVolatile(words, 0);
    }

    private int position(int key) {
        if (key < 0 || key >= keys) {
            throw new IllegalArgumentException("key " + key + " is not among the " + keys + " of this file");
        }
        return (key + 1) * Long.BYTES;
    }
}
