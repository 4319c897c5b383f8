package io.distributedlock;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A store whose requests and replies get lost, delayed and refused by dice, as if a bad network lay in between. */
public final class FlakyStore implements LockStore {

    private enum Fate {
        REFUSED,
        NOT_SENT,
        REQUEST_LOST,
        REPLY_LOST,
        REQUEST_LATE,
        REPLY_LATE
    }

    private final Map<Claim, Integer> onTheWay = new ConcurrentHashMap<>();
    private final ScheduledExecutorService network = Executors.newScheduledThreadPool(2);
    private final Random dice;
    private final LockStore store;
    private final double trouble;
    private final Duration longestDelay;

    /** @param trouble how many of the calls go wrong, from 0 to 1 */
    public FlakyStore(LockStore store, long seed, double trouble, Duration longestDelay) {
        this.store = store;
        this.dice = new Random(seed);
        this.trouble = trouble;
        this.longestDelay = longestDelay;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return send(claim, () -> store.acquire(claim, ttl, patience));
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return send(claim, () -> store.extend(claim, token, ttl));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return send(claim, () -> {
            boolean settled = !onTheWay.containsKey(claim);
            return store.release(claim).thenApply(done -> Release.of(done.held(), settled));
        });
    }

    private <T> CompletionStage<T> send(Claim claim, Supplier<CompletionStage<T>> call) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        if (dice.nextDouble() >= trouble) {
            deliver(call.get(), reply, dice.nextInt(3) == 0 ? Duration.ZERO : null);
            return reply;
        }
        switch (Fate.values()[dice.nextInt(Fate.values().length)]) {
            case REFUSED -> reply.completeExceptionally(StoreException.refused("dice", null));
            case NOT_SENT -> reply.completeExceptionally(StoreException.notSent("dice", null));
            case REQUEST_LOST -> lose(reply);
            case REPLY_LOST -> call.get().thenRun(() -> lose(reply));
            case REPLY_LATE -> deliver(call.get(), reply, delay());
            case REQUEST_LATE -> sendLate(claim, call, reply);
        }
        return reply;
    }

    /** Half of what is lost is noticed as a broken connection; of the rest no caller ever hears. */
    private <T> void lose(CompletableFuture<T> reply) {
        if (dice.nextBoolean()) {
            reply.completeExceptionally(StoreException.unknown("dice", null));
        }
    }

    private <T> void sendLate(Claim claim, Supplier<CompletionStage<T>> call, CompletableFuture<T> reply) {
        onTheWay.merge(claim, 1, Integer::sum);
        after(delay(), () -> {
            CompletionStage<T> answer = call.get();
            onTheWay.computeIfPresent(claim, (same, count) -> count == 1 ? null : count - 1);
            deliver(answer, reply, null);
        });
    }

    private <T> void deliver(CompletionStage<T> answer, CompletableFuture<T> reply, Duration delay) {
        answer.whenComplete((value, failure) -> {
            Runnable delivery =
                    () -> reply.completeAsync(() -> value, delay == null ? Runnable::run : network::execute);
            after(delay == null ? Duration.ZERO : delay, delivery);
        });
    }

    private Duration delay() {
        return Duration.ofNanos((long) (dice.nextDouble() * longestDelay.toNanos()));
    }

    private void after(Duration delay, Runnable task) {
        if (delay.isZero()) {
            task.run();
        } else {
            network.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void close() {
        network.shutdownNow();
        store.close();
    }
}
