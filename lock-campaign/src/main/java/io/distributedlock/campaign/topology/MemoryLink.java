package io.distributedlock.campaign.topology;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.test.store.ForwardingLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The link of one client to a store in memory. While it is disturbed, calls have no answer; what becomes of them shows
 * when it is healed.
 */
final class MemoryLink extends ForwardingLockStore {

    /** What happens to requests. */
    enum State {
        SOUND,
        /** They are executed, and fail when the link is healed. */
        REPLIES_LOST,
        /** They are not executed, and fail when the link is healed. */
        REQUESTS_LOST,
        /** They are executed when the link is healed, in order. */
        REQUESTS_LATE
    }

    private final List<Runnable> kept = new ArrayList<>();
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final InMemoryLockStore store;
    private final String process;
    private State state = State.SOUND;

    MemoryLink(InMemoryLockStore store, String process) {
        super(store);
        this.store = store;
        this.process = process;
    }

    String process() {
        return process;
    }

    void enter(State disturbed) {
        synchronized (kept) {
            state = disturbed;
        }
    }

    void heal() {
        List<Runnable> late;
        synchronized (kept) {
            state = State.SOUND;
            late = List.copyOf(kept);
            kept.clear();
        }
        late.forEach(Runnable::run);
    }

    private <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        State now = keep(request, reply);
        if (now == State.SOUND) {
            return request.get();
        }
        return now == State.REPLIES_LOST ? request.get().thenCompose(lost -> reply) : reply;
    }

    private <T> State keep(Supplier<CompletionStage<T>> request, CompletableFuture<T> reply) {
        synchronized (kept) {
            if (state == State.REQUESTS_LATE) {
                kept.add(() -> request.get().thenAccept(reply::complete));
            } else if (state != State.SOUND) {
                kept.add(() -> reply.completeExceptionally(StoreException.unknown("the link was cut", null)));
            }
            return state;
        }
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        ids.add(claim.id());
        return send(() -> super.acquire(claim, ttl, patience));
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return send(() -> super.extend(claim, token, ttl));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return send(() -> super.release(claim));
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return send(() -> super.releaseAfter(claim, time));
    }

    /** The locks that this client has asked for and that are held. */
    List<String> leftover() {
        return ids.stream()
                .filter(id -> store.find(id).toCompletableFuture().join().isPresent())
                .toList();
    }

    /** Other clients go on with the store. */
    @Override
    public void close() {
        heal();
    }
}
