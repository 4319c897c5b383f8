package io.distributedlock.internal.client;

import io.distributedlock.spi.LockStore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a client, made when it is needed for the first time: an application that starts does not wait for it.
 */
final class LazyEngine implements Supplier<Engine> {

    private final Object once = new Object();
    private final LockStore store;
    private final Function<LockStore, Engine> making;
    private volatile @Nullable Engine made;
    private boolean closed;

    LazyEngine(LockStore store, Function<LockStore, Engine> making) {
        this.store = store;
        this.making = making;
    }

    @Override
    public Engine get() {
        Engine present = made;
        return present == null ? make() : present;
    }

    /** One that is needed only after the end, say for a figure, has ended from the start. */
    private Engine make() {
        synchronized (once) {
            Engine present = made;
            if (present == null) {
                present = making.apply(store);
                if (closed) {
                    present.close();
                }
                made = present;
            }
            return present;
        }
    }

    /** Before that, nothing can be held or waited for. */
    boolean isMade() {
        return made != null;
    }

    /** With its store, even if that was never used. */
    void close() {
        synchronized (once) {
            closed = true;
        }
        Engine present = made;
        if (present != null) {
            present.close();
        }
        store.close();
    }
}
