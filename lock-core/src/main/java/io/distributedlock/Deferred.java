package io.distributedlock;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made once, when it is needed for the first time. If making it fails, the next one who needs it tries again. */
final class Deferred<T> implements Supplier<T> {

    private final Supplier<T> source;
    private volatile @Nullable T made;

    Deferred(Supplier<T> source) {
        this.source = source;
    }

    @Override
    public T get() {
        T present = made;
        return present == null ? make() : present;
    }

    private synchronized T make() {
        T present = made;
        if (present == null) {
            present = source.get();
            made = present;
        }
        return present;
    }
}
