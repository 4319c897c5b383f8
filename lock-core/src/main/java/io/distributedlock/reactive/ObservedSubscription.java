package io.distributedlock.reactive;

import io.distributedlock.LockObserver.Observed;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Notifies an observer once of how a subscription ended: a subscriber may still cancel what has completed. */
final class ObservedSubscription {

    private final AtomicBoolean ended = new AtomicBoolean();
    private final Observed observed;

    ObservedSubscription(Observed observed) {
        this.observed = observed;
    }

    void completed() {
        end(null);
    }

    void failed(Throwable failure) {
        end(failure);
    }

    void cancelled() {
        end(new CancellationException("The subscription was cancelled"));
    }

    private void end(@Nullable Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            observed.end(failure);
        }
    }
}
