package io.distributedlock.redis;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Extensions that may share a script, in the order in which they were asked for.
 *
 * <p>One that comes while nothing is under way is sent at once. Otherwise those of about a millisecond go together, a full script as soon as it
 * is full. Of all scripts only a few are unanswered at a time, so that a great number of renewals, as after a reconnect, lets other commands
 * through; and what waits for an answer that does not come waits here, once for each claim.
 */
final class ExtensionLane {

    static final int MAX_BATCH = 100;
    static final int MAX_UNANSWERED = 8;
    static final int MAX_WAITING = 100_000;

    private static final Duration GATHERING = Duration.ofMillis(1);

    private final Supplier<EventExecutor> loop;
    private final Function<List<Extension>, CompletionStage<?>> sender;

    /** Guards what follows. */
    private final Object gate = new Object();

    private final Map<Claim, Extension> waiting = new LinkedHashMap<>();
    private int unanswered;
    private boolean gathering;
    private boolean due;

    /**
     * @param loop where gathered extensions are sent; throws if there is no connection
     * @param sender sends a script, gives each extension its answer, and completes when that is done; never fails
     */
    ExtensionLane(Supplier<EventExecutor> loop, Function<List<Extension>, CompletionStage<?>> sender) {
        this.loop = loop;
        this.sender = sender;
    }

    /** @throws StoreException as not sent if there is no connection, or too much waits for an answer */
    CompletableFuture<Boolean> add(Extension wish) {
        EventExecutor executor = loop.get();
        boolean isFirst;
        synchronized (gate) {
            Extension same = waiting.get(wish.claim());
            if (same != null) {
                same.include(wish);
                return same.answer();
            }
            if (waiting.size() >= MAX_WAITING) {
                throw StoreException.notSent(
                        "more than " + MAX_WAITING + " extensions of leases wait for the answers to earlier ones",
                        null);
            }
            due |= waiting.isEmpty() && unanswered == 0;
            waiting.put(wish.claim(), wish);
            isFirst = !due && !gathering;
            gathering |= isFirst;
        }
        if (isFirst) {
            later(() -> executor.schedule(this::gathered, GATHERING.toNanos(), TimeUnit.NANOSECONDS)
                    .addListener(this::failAllIfCancelled));
        }
        sendDue();
        return wish.answer();
    }

    private void gathered() {
        synchronized (gate) {
            gathering = false;
            due = !waiting.isEmpty();
        }
        sendDue();
    }

    private void sendDue() {
        for (List<Extension> batch = takeDue(); !batch.isEmpty(); batch = takeDue()) {
            sender.apply(batch).thenRun(this::answered);
        }
    }

    private List<Extension> takeDue() {
        synchronized (gate) {
            if (unanswered >= MAX_UNANSWERED || !(due || waiting.size() >= MAX_BATCH)) {
                return List.of();
            }
            List<Extension> batch = take();
            unanswered += batch.isEmpty() ? 0 : 1;
            due &= !waiting.isEmpty();
            return batch;
        }
    }

    private List<Extension> take() {
        List<Extension> batch = new ArrayList<>(Math.min(waiting.size(), MAX_BATCH));
        Iterator<Extension> next = waiting.values().iterator();
        while (next.hasNext() && batch.size() < MAX_BATCH) {
            batch.add(next.next());
            next.remove();
        }
        return batch;
    }

    /** There is room for one more; it is sent in a turn of its own, because an answer may come within the call that sends. */
    private void answered() {
        boolean more;
        synchronized (gate) {
            unanswered--;
            more = due || waiting.size() >= MAX_BATCH;
        }
        if (more) {
            try {
                EventExecutor executor = loop.get();
                later(() -> executor.execute(this::sendDue));
            } catch (StoreException notConnected) {
                failAll(notConnected);
            }
        }
    }

    /** The loop ends together with the connections. */
    private void later(Runnable plan) {
        try {
            plan.run();
        } catch (RejectedExecutionException ended) {
            failAll(RedisConnections.stoppedNow());
        }
    }

    private void failAllIfCancelled(Future<?> gathered) {
        if (gathered.isCancelled()) {
            failAll(RedisConnections.stoppedNow());
        }
    }

    private void failAll(StoreException failure) {
        List<Extension> all;
        synchronized (gate) {
            all = List.copyOf(waiting.values());
            waiting.clear();
            gathering = false;
            due = false;
        }
        all.forEach(each -> each.answer().completeExceptionally(failure));
    }
}
