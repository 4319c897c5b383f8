package io.distributedlock.simulation;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The connection of one client: commands arrive in order and late, answers come back in order and late. When it is cut,
 * what was under way is lost, or is executed all the same.
 */
final class SimulatedConnection implements LockStore {

    /** After a cut, a command that was under way can be executed for so long at most. */
    private static final Duration UNDER_WAY = Duration.ofMillis(3_500);

    private final SimulatedServer server;
    private final List<Runnable> hooks = new ArrayList<>();
    private final List<CompletableFuture<?>> open = new ArrayList<>();
    private final List<CompletableFuture<Optional<Granted>>> notifications = new ArrayList<>();
    private final Set<String> released = new HashSet<>();
    private boolean connected = true;
    private int connection;
    private int unsettled;
    private long lastArrival;
    private long lastAnswer;

    SimulatedConnection(SimulatedServer server) {
        this.server = server;
    }

    boolean isConnected() {
        return connected;
    }

    /** Breaks the connection; a new one is there after a while. */
    void cut(Duration downFor) {
        connected = false;
        connection++;
        unsettled++;
        lastArrival = 0;
        lastAnswer = 0;
        List<CompletableFuture<?>> waiting = new ArrayList<>(open);
        open.clear();
        waiting.forEach(reply -> reply.completeExceptionally(StoreException.unknown("cut", null)));
        server.time().after(downFor, this::reconnect);
        server.time().after(UNDER_WAY, () -> unsettled--);
    }

    private void reconnect() {
        connected = true;
        List<CompletableFuture<Optional<Granted>>> missed = new ArrayList<>(notifications);
        notifications.clear();
        missed.forEach(notification -> notification.complete(Optional.empty()));
        hooks.forEach(Runnable::run);
    }

    private <T> CompletionStage<T> send(Supplier<T> command) {
        if (!connected) {
            return CompletableFuture.failedFuture(StoreException.notSent("not connected", null));
        }
        CompletableFuture<T> reply = new CompletableFuture<>();
        open.removeIf(CompletableFuture::isDone);
        open.add(reply);
        int own = connection;
        long now = server.time().now();
        lastArrival = Math.max(lastArrival, now + server.latency().toNanos());
        server.time().after(Duration.ofNanos(lastArrival - now), () -> arrive(command, reply, own));
        return reply;
    }

    private <T> void arrive(Supplier<T> command, CompletableFuture<T> reply, int sentOn) {
        if (sentOn == connection) {
            T value = command.get();
            answer(sentOn, () -> reply.complete(value));
        } else if (server.dice().nextInt(3) > 0) { // otherwise it is lost
            CompletableFuture<T> unheard = new CompletableFuture<>();
            server.time().after(Duration.ofMillis(server.dice().nextInt(400)), () -> unheard.complete(command.get()));
        }
    }

    private void answer(int executedOn, Runnable arrival) {
        long now = server.time().now();
        lastAnswer = Math.max(lastAnswer, now + server.latency().toNanos());
        server.time().after(Duration.ofNanos(lastAnswer - now), () -> {
            if (executedOn == connection) {
                arrival.run();
            }
        });
    }

    /** Half of the claims begin with the plain command, which only takes a free lock, and go on with the script. */
    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        if (server.dice().nextBoolean()) {
            return send(() -> plainly(claim, ttl)).thenCompose(taken -> {
                if (taken.isPresent()) {
                    return CompletableFuture.completedFuture(taken.get());
                }
                return released.contains(claim.owner())
                        ? CompletableFuture.failedFuture(StoreException.refused("released meanwhile", null))
                        : byScript(claim, ttl, patience);
            });
        }
        return byScript(claim, ttl, patience);
    }

    private Optional<AcquireResult> plainly(Claim claim, Duration ttl) {
        return server.owners(claim.id()).isEmpty()
                ? Optional.of(server.acquire(claim, ttl, Duration.ZERO))
                : Optional.empty();
    }

    private CompletionStage<AcquireResult> byScript(Claim claim, Duration ttl, Duration patience) {
        return send(() -> notifying(claim, server.acquire(claim, ttl, patience)));
    }

    /** A grant from the queue is a message, which a client that is not connected misses. */
    private AcquireResult notifying(Claim claim, AcquireResult result) {
        if (!(result instanceof Refused refused) || !refused.queued()) {
            return result;
        }
        CompletableFuture<Optional<Granted>> notification = new CompletableFuture<>();
        notifications.removeIf(CompletableFuture::isDone);
        notifications.add(notification);
        refused.grantNotification().thenAccept(grant -> {
            if (connected) {
                answer(connection, () -> {
                    if (released.contains(claim.owner())) {
                        release(claim);
                    } else {
                        notification.complete(grant);
                    }
                });
            }
        });
        return new Refused(refused.retryAfter(), true, notification);
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return send(() -> server.extend(claim, token, ttl));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        released.add(claim.owner());
        return send(() -> server.release(claim)).thenApply(answer -> new Release(answer.outcome(), unsettled == 0));
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return send(() -> server.releaseAfter(claim, time));
    }

    @Override
    public CompletionStage<?> ready() {
        return connected
                ? CompletableFuture.completedFuture(true)
                : CompletableFuture.failedFuture(StoreException.notSent("not connected", null));
    }

    @Override
    public void onReachable(Runnable hook) {
        hooks.add(hook);
    }

    @Override
    public void close() {}
}
