package io.distributedlock.redis;

import io.distributedlock.spi.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets only a few scripts about leases be unanswered at a time; others wait here, in the order in which they came. So a
 * great number of renewals, as after a reconnect, lets other commands through, and a server that is silent is not sent
 * the same over and over again.
 */
final class InFlightLimit {

    static final int MAX_UNANSWERED = 8;
    static final int MAX_WAITING = 100_000;

    private final Function<ExtendBatch, CompletionStage<Boolean>> sender;
    private final Supplier<? extends Executor> loop;

    /** Guards what follows. */
    private final Object gate = new Object();

    private final Queue<ExtendBatch> waiting = new ArrayDeque<>();
    private int leasesWaiting;
    private int unanswered;
    private boolean sending;

    /**
     * @param sender sends a script, reports how it ended, and completes with whether there was an answer
     * @param loop where the next script is sent after one that failed; throws if there is no connection
     */
    InFlightLimit(Function<ExtendBatch, CompletionStage<Boolean>> sender, Supplier<? extends Executor> loop) {
        this.sender = sender;
        this.loop = loop;
    }

    /** @throws StoreException as not sent if too many wait */
    void add(ExtendBatch extension) {
        synchronized (gate) {
            if (leasesWaiting >= MAX_WAITING) {
                throw StoreException.notSent(
                        "more than " + MAX_WAITING + " extensions of leases wait for the answers to earlier ones",
                        null);
            }
            waiting.add(extension);
            leasesWaiting += extension.size();
        }
        sendNext();
    }

    /** The thread that sends goes on while there is something to send, also if answers come within that call. */
    private void sendNext() {
        for (ExtendBatch next = next(); next != null; next = next()) {
            try {
                sender.apply(next).whenComplete((answered, failure) -> ended(Boolean.TRUE.equals(answered)));
            } catch (RuntimeException | Error notSent) {
                synchronized (gate) {
                    unanswered--;
                }
                throw notSent;
            } finally {
                synchronized (gate) {
                    sending = false;
                }
            }
        }
    }

    private @Nullable ExtendBatch next() {
        synchronized (gate) {
            ExtendBatch next = sending || unanswered >= MAX_UNANSWERED ? null : waiting.poll();
            if (next != null) {
                leasesWaiting -= next.size();
                unanswered++;
                sending = true;
            }
            return next;
        }
    }

    /** A connection that is just failing all that it carries must be through with that before it is given more. */
    private void ended(boolean answered) {
        synchronized (gate) {
            unanswered--;
        }
        if (answered) {
            sendNext();
            return;
        }
        try {
            loop.get().execute(this::sendNext);
        } catch (StoreException notConnected) {
            failAll(notConnected);
        } catch (RejectedExecutionException stopped) {
            failAll(RedisLockConnection.stoppedNow());
        }
    }

    private void failAll(StoreException failure) {
        List<ExtendBatch> all;
        synchronized (gate) {
            all = List.copyOf(waiting);
            waiting.clear();
            leasesWaiting = 0;
        }
        all.forEach(each -> each.fail(failure));
    }
}
