package io.distributedlock.quorum;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node in memory whose line to the quorum can be broken in every way that a line to a server can be. */
final class TestNode implements LockStore, LockInspection, LockListing {

    /** What becomes of the calls. */
    enum Line {
        UP,
        /** Nothing can be sent. */
        DOWN,
        /** The server says no and does nothing. */
        REFUSING,
        /** Calls are executed, but their replies are lost together with the connection. */
        REPLIES_LOST,
        /** Calls stay on their way until they are {@linkplain #deliver delivered}. */
        HELD,
        /** Only releases stay on their way. */
        RELEASES_HELD,
        /**
         * Only acquires stay on their way, and releases overtake them, as behind a script that the server had to be
         * sent.
         */
        ACQUIRES_OVERTAKEN
    }

    private record Call(Claim claim, Runnable execution) {}

    private final Deque<Call> held = new ArrayDeque<>();
    private final List<Runnable> hooks = new ArrayList<>();
    private final LongSupplier clock;
    private InMemoryLockStore memory;
    private Line line = Line.UP;
    private int calls;
    private Optional<String> problem = Optional.empty();

    TestNode(LongSupplier clock) {
        this.clock = clock;
        this.memory = new InMemoryLockStore(clock);
    }

    void line(Line line) {
        this.line = line;
    }

    /** The node answers, but says that something is refused. */
    void reportProblem(String text) {
        problem = Optional.of(text);
    }

    @Override
    public Optional<String> problem() {
        return problem;
    }

    @Override
    public Map<String, String> description() {
        return Map.of("server", "memory");
    }

    /** Executes what is held, in its order, and lets the line be up. */
    void deliver() {
        line = Line.UP;
        while (!held.isEmpty()) {
            held.poll().execution().run();
        }
    }

    /** Executes what is held, and lets nothing more through. */
    void deliverThenBreak() {
        line = Line.DOWN;
        held.removeFirst().execution().run();
    }

    /** Executes the youngest call that is held, before all older ones. */
    void deliverLast() {
        held.removeLast().execution().run();
    }

    /** The line is up again, and the quorum is told. */
    void reconnect() {
        line = Line.UP;
        hooks.forEach(Runnable::run);
    }

    /** The server is started again without its data. */
    void restartEmpty() {
        memory = new InMemoryLockStore(clock);
    }

    /** Lets the node give out only tokens that are larger than this one. */
    void raiseFence(long token) {
        memory.extend(new Claim("nobody", "nobody"), token, Duration.ofMillis(1));
    }

    /** How many calls were made, whatever became of them. */
    int calls() {
        return calls;
    }

    /** Whether a client holds a lock here. */
    boolean keeps(String id) {
        Claim probe = new Claim(id, "probe");
        AcquireResult attempt = memory.acquire(probe, Duration.ofMillis(1), Duration.ZERO)
                .toCompletableFuture()
                .join();
        memory.release(probe);
        return attempt instanceof AcquireResult.Refused;
    }

    /** Another owner takes the lock here, as if it were a client of which the quorum knows nothing. */
    void occupy(String id, Duration ttl) {
        memory.acquire(new Claim(id, "another client"), ttl, Duration.ZERO);
    }

    void vacate(String id) {
        memory.release(new Claim(id, "another client"));
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return call(
                claim, line == Line.ACQUIRES_OVERTAKEN ? Line.HELD : line, () -> memory.acquire(claim, ttl, patience));
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return call(claim, line, () -> memory.extend(claim, token, ttl));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return call(claim, line == Line.RELEASES_HELD ? Line.HELD : line, () -> {
            boolean settled = line == Line.ACQUIRES_OVERTAKEN
                    || held.stream().noneMatch(call -> call.claim().equals(claim));
            return memory.release(claim).thenApply(done -> Release.of(done.held(), settled));
        });
    }

    @Override
    public CompletionStage<Optional<StoredLock>> find(String id) {
        return call(new Claim(id, "who asks"), line, () -> memory.find(id));
    }

    @Override
    public CompletionStage<Page> list(@Nullable String cursor, int limit) {
        return call(new Claim("all", "who asks"), line, () -> memory.list(cursor, limit));
    }

    @Override
    public CompletionStage<Release> forceRelease(Claim claim) {
        return call(claim, line, () -> memory.forceRelease(claim));
    }

    @Override
    public void onForceReleased(Consumer<Predicate<String>> hook) {
        memory.onForceReleased(hook);
    }

    private <T> CompletionStage<T> call(Claim claim, Line line, Supplier<CompletionStage<T>> execution) {
        calls++;
        CompletableFuture<T> reply = new CompletableFuture<>();
        switch (line) {
            case UP, RELEASES_HELD, ACQUIRES_OVERTAKEN -> execution.get().thenAccept(reply::complete);
            case DOWN -> throw StoreException.notSent("down", null);
            case REFUSING -> reply.completeExceptionally(StoreException.refused("no", null));
            case REPLIES_LOST -> {
                StoreException lost = StoreException.unknown("reply lost", null);
                execution.get().thenRun(() -> reply.completeExceptionally(lost));
            }
            case HELD -> held.add(new Call(claim, () -> execution.get().thenAccept(reply::complete)));
        }
        return reply;
    }

    @Override
    public CompletionStage<?> ready() {
        return line == Line.DOWN
                ? CompletableFuture.failedFuture(StoreException.notSent("down", null))
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public void onReachable(Runnable hook) {
        hooks.add(hook);
    }

    @Override
    public void close() {
        memory.close();
    }
}
