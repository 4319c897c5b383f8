package io.distributedlock;

import io.distributedlock.spi.LockStore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The engine of a client, made when it is needed for the first time: an application that starts waits neither for it nor for its store. */
final class LazyEngine implements Supplier<Engine> {

    private final Supplier<? extends LockStore> source;
    private final @Nullable LockStore given;
    private final Function<LockStore, Engine> making;
    private volatile @Nullable Engine made;

    private LazyEngine(
            Supplier<? extends LockStore> source, @Nullable LockStore given, Function<LockStore, Engine> making) {
        this.source = source;
        this.given = given;
        this.making = making;
    }

    /** @param store is closed with the engine, even if that was never needed */
    static LazyEngine on(LockStore store, Function<LockStore, Engine> making) {
        return new LazyEngine(() -> store, store, making);
    }

    /** @param source gives the same store each time, on whichever thread it is asked */
    static LazyEngine onSupplied(Supplier<? extends LockStore> source, Function<LockStore, Engine> making) {
        return new LazyEngine(source, null, making);
    }

    /** The store is asked for without a monitor: its source may hold one, which another caller of this client is in. */
    @Override
    public Engine get() {
        Engine present = made;
        return present == null ? make(source.get()) : present;
    }

    private synchronized Engine make(LockStore store) {
        Engine present = made;
        if (present == null) {
            present = making.apply(store);
            made = present;
        }
        return present;
    }

    /** Before that, nothing can be held or waited for. */
    boolean isMade() {
        return made != null;
    }

    /** With its store, which must not outlive a closed client, even if the engine was made too late. */
    void closeIf(boolean closed) {
        if (!closed) {
            return;
        }
        Engine present = made;
        if (present != null) {
            present.close();
            present.store().close();
        } else if (given != null) {
            given.close();
        }
    }
}
