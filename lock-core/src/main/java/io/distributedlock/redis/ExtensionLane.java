package io.distributedlock.redis;

import io.distributedlock.spi.StoreException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets only a few scripts about leases be unanswered at a time; others wait here, in the order in which they came. So a great number of
 * renewals, as after a reconnect, lets other commands through, and a server that is silent is not sent the same over and over again.
 */
final class ExtensionLane {

    static final int MAX_UNANSWERED = 8;
    static final int MAX_WAITING = 100_000;

    private final Function<Extension, CompletionStage<?>> sender;

    /** Guards what follows. */
    private final Object gate = new Object();

    private final Queue<Extension> waiting = new ArrayDeque<>();
    private int leasesWaiting;
    private int unanswered;
    private boolean sending;

    /** @param sender sends a script, tells everybody concerned how it ended, and completes when that is done; never fails */
    ExtensionLane(Function<Extension, CompletionStage<?>> sender) {
        this.sender = sender;
    }

    /** @throws StoreException as not sent if too many wait */
    void add(Extension extension) {
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

    /** Whoever is sending goes on as long as there is something to send, also if an answer comes within the call that sends. */
    private void sendNext() {
        for (Extension next = next(); next != null; next = next()) {
            try {
                sender.apply(next).thenRun(this::answered);
            } finally {
                synchronized (gate) {
                    sending = false;
                }
            }
        }
    }

    private @Nullable Extension next() {
        synchronized (gate) {
            Extension next = sending || unanswered >= MAX_UNANSWERED ? null : waiting.poll();
            if (next != null) {
                leasesWaiting -= next.size();
                unanswered++;
                sending = true;
            }
            return next;
        }
    }

    private void answered() {
        synchronized (gate) {
            unanswered--;
        }
        sendNext();
    }
}
