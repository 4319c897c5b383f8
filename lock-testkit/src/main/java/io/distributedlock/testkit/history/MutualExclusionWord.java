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
 * host map into their memory, and places for those who share the key.
 *
 * <p>Who enters puts an id into the word if it is 0, and takes it out again at exit. Who shares takes a place first and
 * then looks at the word; who enters alone looks at the places then, so that at least one of the two sees the other.
 * Any thread may use it.
 */
public final class MutualExclusionWord {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final int PLACES = 32;
    private static final int WIDTH = 1 + PLACES;

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
            MappedByteBuffer words =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, (1L + (long) keys * WIDTH) * Long.BYTES);
            return new MutualExclusionWord(words, keys);
        } catch (IOException e) {
            throw new UncheckedIOException("could not map " + file, e);
        }
    }

    /**
     * Enters the guarded work of a key; empty if no call was inside, else the id of who is, and the overlap is counted.
     *
     * @param id who enters, not 0, unique among those who may be inside at once
     */
    public OptionalLong enter(int key, long id) {
        long inside = (long) WORD.compareAndExchange(words, position(key), 0L, id);
        for (int place = 1; place < WIDTH && inside == 0; place++) {
            inside = (long) WORD.getVolatile(words, position(key, place));
        }
        return met(inside);
    }

    /**
     * Enters the work of a key that is done together with others who share it; empty unless a call is inside alone,
     * as for {@link #enter}.
     */
    public OptionalLong enterShared(int key, long id) {
        int place = 1;
        while (!WORD.compareAndSet(words, position(key, place), 0L, id)) {
            place++;
            if (place == WIDTH) {
                throw new IllegalStateException("more than " + PLACES + " share key " + key);
            }
        }
        return met((long) WORD.getVolatile(words, position(key)));
    }

    private OptionalLong met(long inside) {
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

    /** Leaves the work that is shared; false if this id is not there. */
    public boolean exitShared(int key, long id) {
        for (int place = 1; place < WIDTH; place++) {
            if (WORD.compareAndSet(words, position(key, place), id, 0L)) {
                return true;
            }
        }
        return false;
    }

    /** Takes out who can't leave any more: the ids of a killed process. */
    public void evict(LongPredicate ids) {
        for (int key = 0; key < keys; key++) {
            for (int place = 0; place < WIDTH; place++) {
                long inside = (long) WORD.getVolatile(words, position(key, place));
                if (inside != 0 && ids.test(inside)) {
                    WORD.compareAndSet(words, position(key, place), inside, 0L);
                }
            }
        }
    }

    /** How many entries of all processes have found another call inside. */
    public long overlaps() {
        return (long) WORD.getVolatile(words, 0);
    }

    private int position(int key) {
        if (key < 0 || key >= keys) {
            throw new IllegalArgumentException("key " + key + " is not among the " + keys + " of this file");
        }
        return (1 + key * WIDTH) * Long.BYTES;
    }

    private int position(int key, int place) {
        return position(key) + place * Long.BYTES;
    }
}
