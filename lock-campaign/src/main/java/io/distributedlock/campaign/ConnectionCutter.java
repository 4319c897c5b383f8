package io.distributedlock.campaign;

import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.campaign.client.BusyExecutor;
import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.campaign.client.Timing;
import io.distributedlock.campaign.fault.FaultScripts;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.relay.RelayConnection;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One client whose connection is cut as soon as a certain command has passed; each time for a lock that no other client
 * wants.
 */
final class ConnectionCutter implements AutoCloseable {

    private static final Timing TIMING = Timing.ofMillis(200, 1_000);
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final int LONGEST_DELAY_MILLIS = 10;

    /** What is counted. */
    enum Count {
        CUTS,
        ACQUIRED,
        UNCLEAR,
        HELD_BY_OTHER,
        LOST
    }

    private final Map<Count, Long> counts = new EnumMap<>(Count.class);
    private final BusyExecutor executor = new BusyExecutor();
    private final String name;
    private final Random random;
    private final Relay relay;
    private final ClientUnderTest underTest;
    private long rounds;

    ConnectionCutter(RedisServer server, String name) {
        this.name = name;
        this.random = new Random(name.hashCode());
        this.relay = Relay.to(server.port());
        this.underTest = ClientUnderTest.open(relay.uri(), TIMING, executor, Mutation.NONE);
        underTest.warmUp("warm-up-" + name);
    }

    /** Takes a lock that was never taken before, while the connection breaks. */
    void cutAnAcquire() {
        LockRequest request = nextRequest();
        PlannedCut cut = cutAt(text -> text.contains(request.key()) && FaultScripts.isAboutTokens(text));
        Optional<LockHandle> lock = acquire(request);
        end(cut);
        lock.ifPresent(this::release);
    }

    /** Takes a lock undisturbed, and breaks the connection while it is released. */
    void cutARelease() {
        LockRequest request = nextRequest();
        Optional<LockHandle> lock = acquire(request);
        if (lock.isPresent()) {
            PlannedCut cut = cutAt(text -> text.contains(request.key()) && !FaultScripts.isAboutTokens(text));
            release(lock.get());
            end(cut);
        }
    }

    private LockRequest nextRequest() {
        rounds++;
        return LockRequest.of("default", name + "-" + rounds + "-").withWaitTime(WAIT);
    }

    /**
     * Breaks the connection a moment after this request, so that either its reply or the request itself never arrives.
     */
    private PlannedCut cutAt(Predicate<String> request) {
        Direction direction = random.nextInt(3) == 0 ? Direction.REQUESTS : Direction.REPLIES;
        Cut cut = random.nextBoolean() ? Cut.FIN : Cut.RST;
        CompletableFuture<RelayConnection> held = relay.holdWhen(direction, request);
        CompletableFuture<Void> done = held.thenRunAsync(
                () -> {
                    relay.cut(cut);
                    relay.deliver(direction);
                },
                CompletableFuture.delayedExecutor(random.nextInt(LONGEST_DELAY_MILLIS), TimeUnit.MILLISECONDS));
        return new PlannedCut(held, done);
    }

    /** A cut that happens once its command has passed. */
    private record PlannedCut(CompletableFuture<RelayConnection> held, CompletableFuture<Void> done) {

        /** Withdraws it if its command was never sent, else waits for it; returns whether it has happened. */
        boolean end() {
            if (held.cancel(false)) {
                return false;
            }
            done.join();
            return true;
        }
    }

    private void end(PlannedCut cut) {
        if (cut.end()) {
            count(Count.CUTS);
            Pacer.await(WAIT, () -> !relay.connections().isEmpty());
        }
    }

    private Optional<LockHandle> acquire(LockRequest request) {
        try {
            LockHandle lock = underTest.client().acquire(request);
            count(Count.ACQUIRED);
            return Optional.of(lock);
        } catch (LockNotAcquiredException refused) {
            count(Count.HELD_BY_OTHER);
        } catch (LockUnavailableException unanswered) {
            count(Count.UNCLEAR);
        }
        return Optional.empty();
    }

    private void release(LockHandle lock) {
        try {
            lock.release();
        } catch (LockLostException lost) {
            count(Count.LOST);
        }
    }

    private void count(Count what) {
        counts.merge(what, 1L, Long::sum);
    }

    long counted(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Whether nothing is held and nothing is left to clean up. */
    boolean isClean() {
        return underTest.client().held().isEmpty() && underTest.client().unresolved() == 0;
    }

    @Override
    public void close() {
        underTest.close();
        relay.close();
        executor.close();
    }
}
