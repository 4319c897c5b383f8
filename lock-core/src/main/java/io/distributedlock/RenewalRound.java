package io.distributedlock;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ExtensionAnswers;
import io.distributedlock.spi.StoreException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/** Renewals that were asked for in one call of the store. Each has an outcome of its own, at the common deadline at the latest. */
final class RenewalRound implements ExtensionAnswers, Runnable {

    private static final int OPEN = 0;
    private static final int TOLD = 1;

    private final Engine engine;
    private final List<Tenure> tenures;
    private final RenewalTerms terms;
    private final long sentAt;
    private final long safeUntil;
    private final AtomicIntegerArray outcomes;
    private final AtomicInteger open;
    private volatile Timeline.Timer timer = Timeline.Timer.NONE;

    RenewalRound(Engine engine, List<Tenure> tenures, RenewalTerms terms) {
        this.engine = engine;
        this.tenures = tenures;
        this.terms = terms;
        this.sentAt = engine.time().now();
        this.safeUntil = Lease.safeUntil(sentAt, terms.ttl());
        this.outcomes = new AtomicIntegerArray(tenures.size());
        this.open = new AtomicInteger(tenures.size());
    }

    void start() {
        timer = engine.time().after(terms.limit(), this);
        List<Claim> claims = tenures.stream().map(Tenure::claim).toList();
        long token = tenures.stream().mapToLong(Tenure::serverToken).max().orElse(0);
        try {
            engine.store().extendAll(claims, token, terms.ttl(), this);
        } catch (RuntimeException | Error thrown) {
            endAll(StoreCalls.classify(thrown));
        }
    }

    /** An answer counts whenever it arrives; the outcome was told before if it comes after the deadline. */
    @Override
    public void ended(int place, @Nullable Boolean held, @Nullable Throwable failure) {
        Renewal.learned(tenures.get(place), sentAt, terms.ttl(), safeUntil, held);
        tell(place, held, failure == null ? null : StoreCalls.classify(failure));
    }

    /** The deadline. */
    @Override
    public void run() {
        endAll(StoreException.unknown("no reply within " + terms.limit().toMillis() + " ms", null));
    }

    private void endAll(StoreException failure) {
        for (int place = 0; place < tenures.size(); place++) {
            tell(place, null, failure);
        }
    }

    private void tell(int place, @Nullable Boolean held, @Nullable StoreException failure) {
        if (outcomes.compareAndSet(place, OPEN, TOLD)) {
            if (open.decrementAndGet() == 0) {
                timer.cancel();
            }
            engine.watchdog().answered(tenures.get(place), sentAt, held, failure);
        }
    }
}
