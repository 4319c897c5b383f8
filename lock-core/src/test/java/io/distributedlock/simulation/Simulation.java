package io.distributedlock.simulation;

import io.distributedlock.LockHandle;
import io.distributedlock.LockId;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.client.DefaultLockClient;
import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.internal.lease.SingleLockHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One run: three clients want three locks, in all the ways there are, while connections break and machines sleep. */
final class Simulation {

    private static final int CLIENTS = 3;
    private static final int KEYS = 3;
    private static final int STEPS = 4_000;
    private static final Duration MIN_HOLD = Duration.ofSeconds(1);
    /** A little less than the whole, because the client and the server do not count from the same moment. */
    private static final long MIN_HOLD_NANOS = 990_000_000L;

    private static final long LONGEST_CALL_NANOS = 20_000_000_000L;

    private final SimulatedServer server;
    private final Promises promises;
    private final Random dice;
    private final boolean shares;
    private final boolean sleeps;
    private final List<SimulatedConnection> connections = new ArrayList<>();
    private final List<DefaultLockClient> clients = new ArrayList<>();
    private final Map<CompletableFuture<LockHandle>, Call> calls = new IdentityHashMap<>();
    private int cycles;
    private int faults;

    /** A call that waits. */
    private record Call(String id, long since) {}

    /** What a call asks for. */
    private record Wish(LockRequest request, boolean minHold, boolean lasts) {}

    Simulation(long seed) {
        server = new SimulatedServer(seed, seed % 3 == 0 ? 0 : seed % 3 == 1 ? 0.3 : 0.08);
        promises = new Promises(server);
        dice = server.dice();
        shares = dice.nextBoolean();
        sleeps = server.trouble() > 0 && dice.nextBoolean();
        for (int each = 0; each < CLIENTS; each++) {
            SimulatedConnection connection = new SimulatedConnection(server);
            connections.add(connection);
            clients.add(new DefaultLockClientBuilder(connection)
                    .waitTime(Duration.ofSeconds(5))
                    .ttl(Duration.ofSeconds(dice.nextBoolean() ? 30 : 1))
                    .commandTimeout(Duration.ofMillis(300))
                    .timeline(server.time())
                    .barging(dice.nextBoolean())
                    .executor(Runnable::run)
                    .signals(Runnable::run)
                    .build());
        }
    }

    int cycles() {
        return cycles;
    }

    int faults() {
        return faults;
    }

    /** Runs to the end, or to the first broken promise; returns what was broken. */
    List<String> run() {
        for (int step = 0; step < STEPS && promises.broken().isEmpty(); step++) {
            if (dice.nextInt(6) == 0) {
                acquire();
            }
            disturb();
            server.time().advance(Duration.ofNanos(dice.nextInt(4_000_000)));
            check();
        }
        if (promises.broken().isEmpty()) {
            server.time().advance(Duration.ofSeconds(120));
            check();
            checkEnd();
        }
        return promises.broken();
    }

    private void disturb() {
        if (dice.nextDouble() < server.trouble() / 30) {
            SimulatedConnection connection = connections.get(dice.nextInt(CLIENTS));
            if (connection.isConnected()) {
                faults++;
                connection.cut(Duration.ofMillis(dice.nextInt(dice.nextInt(5) == 0 ? 3_000 : 100)));
            }
        }
        if (sleeps && dice.nextInt(150) == 0) {
            faults++;
            server.time().pause(Duration.ofMillis(dice.nextInt(4_000)));
        }
        if (sleeps && dice.nextInt(300) == 0) {
            faults++;
            server.suspendClients(Duration.ofMillis(1_200 + dice.nextInt(2_000)));
        }
    }

    private void acquire() {
        DefaultLockClient client = clients.get(dice.nextInt(CLIENTS));
        String key = "k" + dice.nextInt(KEYS);
        Wish wish = wish(LockRequest.of("n", key)
                .withWaitTime(Duration.ofMillis(dice.nextInt(4) == 0 ? 0 : dice.nextInt(4_000))));
        CompletableFuture<LockHandle> call = client.acquireAsync(wish.request());
        calls.put(call, new Call(LockId.of("n", key).encoded(), server.time().now()));
        if (dice.nextInt(20) == 0) {
            server.time().after(Duration.ofMillis(dice.nextInt(500)), () -> call.cancel(false));
        }
        call.whenComplete((lock, failure) -> {
            calls.remove(call);
            if (lock != null) {
                hold((SingleLockHandle) lock, wish);
            }
        });
    }

    private Wish wish(LockRequest plain) {
        boolean calm = server.trouble() == 0;
        return switch (dice.nextInt(8)) {
            case 0 -> new Wish(plain.withTtl(Duration.ofSeconds(1 + dice.nextInt(3))), false, false);
            case 1 -> new Wish(plain.withTtl(Duration.ofSeconds(20)), false, false);
            case 2 -> new Wish(plain.withMinHold(MIN_HOLD), true, calm);
            case 3 -> new Wish(plain.withMaxHold(Duration.ofMillis(500 + dice.nextInt(3_000))), false, false);
            case 4 -> new Wish(plain.withFencing(), false, calm);
            case 5 -> new Wish(shares ? plain.shared() : plain, false, calm);
            default -> new Wish(plain, false, calm);
        };
    }

    private void hold(SingleLockHandle lock, Wish wish) {
        cycles++;
        long since = server.clock();
        promises.granted(lock, lock.fencingToken(), wish.lasts(), !shares);
        if (dice.nextInt(6) == 0) {
            Duration more = Duration.ofSeconds(1 + dice.nextInt(5));
            server.time().after(Duration.ofMillis(dice.nextInt(1_000)), () -> lock.extendAsync(more));
        }
        int millis = dice.nextInt(3) == 0 ? dice.nextInt(4_000) : dice.nextInt(3) == 0 ? dice.nextInt(50) : 0;
        Duration work = Duration.ofNanos(millis * 1_000_000L + dice.nextInt(500_000));
        server.time().after(work, () -> release(lock, wish.minHold() ? since + MIN_HOLD_NANOS : since));
    }

    private void release(SingleLockHandle lock, long keptUntil) {
        promises.endsNow(lock);
        boolean wasHeld = lock.isHeld();
        boolean agreed = wasHeld && promises.isHeldInStore(lock);
        if (wasHeld && server.clock() - keptUntil < 0) {
            promises.isKept(lock, keptUntil);
        }
        lock.releaseAsync().whenComplete((nothing, failure) -> lost(lock, failure, agreed));
    }

    private void lost(SingleLockHandle lock, @Nullable Throwable failure, boolean agreed) {
        if (failure instanceof LockLostException loss) {
            promises.lost(lock, loss, agreed);
        }
    }

    private void check() {
        HashSet<String> awaited = new HashSet<>();
        for (Call call : calls.values()) {
            awaited.add(call.id());
            if (server.time().now() - call.since() > LONGEST_CALL_NANOS) {
                promises.broken("a call does not end", call.id());
            }
        }
        promises.check(awaited);
    }

    /** Long after the last call, nothing is left. */
    private void checkEnd() {
        String everything = LockId.of("n", "").encoded();
        for (DefaultLockClient client : clients) {
            if (!client.held().isEmpty() || client.unresolved() != 0 || client.waiting() != 0) {
                promises.broken(
                        "a client still has " + client.held() + ", " + client.unresolved() + " unresolved, "
                                + client.waiting() + " waiting",
                        everything);
            }
        }
        if (!calls.isEmpty()) {
            promises.broken(calls.size() + " calls never ended", everything);
        }
        for (int key = 0; key < KEYS; key++) {
            String id = LockId.of("n", "k" + key).encoded();
            if (!server.owners(id).isEmpty()) {
                promises.broken("the server keeps it", id);
            }
        }
    }
}
