package io.distributedlock.internal.client;

import io.distributedlock.LockHolder;
import io.distributedlock.LockId;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.internal.store.ClientPresence;
import io.distributedlock.internal.store.RosterLookup;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.support.Await;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds to a refusal who holds the lock, for a client that takes part in the roster. Without an answer at once, the
 * refusal stays as it is.
 */
final class Refusals {

    private static final Duration LIMIT = Duration.ofMillis(50);
    /** Further refusals meanwhile stay as they are. */
    private static final int MAX_QUESTIONS = 32;

    private final Map<String, CompletableFuture<Optional<LockHolder>>> questions = new ConcurrentHashMap<>();
    private final StoreCalls calls;
    private final ClientPresence presence;
    private final RosterLookup roster;
    private final @Nullable LockInspection inspection;

    Refusals(LockStore store, StoreCalls calls, Scheduler time, ClientPresence presence) {
        this.calls = calls;
        this.presence = presence;
        this.roster = new RosterLookup(store, time);
        this.inspection = presence.isPublished() && store instanceof LockInspection able ? able : null;
    }

    RosterLookup roster() {
        return roster;
    }

    /** Waits for the answer. */
    LockNotAcquiredException explained(LockNotAcquiredException refused) {
        CompletableFuture<LockNotAcquiredException> explained = new CompletableFuture<>();
        explain(refused, known -> explained.complete((LockNotAcquiredException) known));
        return Await.uninterruptibly(explained);
    }

    /** @param then runs once, with the failure or, if it is a refusal, with one that says who holds the lock */
    void explain(Throwable failure, Consumer<Throwable> then) {
        if (!(failure instanceof LockNotAcquiredException refused) || inspection == null) {
            then.accept(failure);
            return;
        }
        Optional<LockHolder> known = refused.holder();
        if (known.isPresent()) {
            then.accept(refused.withHolder(identified(known.get())));
            return;
        }
        String id = LockId.of(refused.lockName(), refused.lockKey()).encoded();
        holder(id, inspection)
                .thenAccept(holder -> then.accept(holder.isPresent() ? refused.withHolder(holder.get()) : refused));
    }

    /** One that is known without a question and has no identity is this client. */
    private LockHolder identified(LockHolder known) {
        return known.identity() != null
                ? known
                : new LockHolder(known.client(), presence.identity(), known.thread(), known.age(), known.silence());
    }

    private CompletableFuture<Optional<LockHolder>> holder(String id, LockInspection able) {
        if (questions.size() >= MAX_QUESTIONS) {
            return questions.getOrDefault(id, CompletableFuture.completedFuture(Optional.empty()));
        }
        CompletableFuture<Optional<LockHolder>> fresh = new CompletableFuture<>();
        CompletableFuture<Optional<LockHolder>> asked = questions.putIfAbsent(id, fresh);
        if (asked != null) {
            return asked;
        }
        calls.within(
                LIMIT,
                () -> able.find(id)
                        .thenCompose(lock -> lock.isEmpty()
                                ? CompletableFuture.completedFuture(Optional.<LockHolder>empty())
                                : roster.holder(lock.get().owners().get(0))),
                (holder, failure) -> {
                    questions.remove(id, fresh);
                    fresh.complete(holder == null ? Optional.empty() : holder);
                },
                (late, failure) -> {});
        return fresh;
    }
}
