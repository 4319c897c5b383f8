package io.distributedlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** A quorum of five nodes in memory, and a time that both move by hand. */
abstract class QuorumTest {

    static final String ID = "the lock";
    static final Duration TTL = Duration.ofSeconds(10);
    static final Duration NODE_TIMEOUT = Duration.ofMillis(200);

    final ManualScheduler time = new ManualScheduler();
    final List<TestNode> nodes =
            IntStream.range(0, 5).mapToObj(i -> new TestNode(time::now)).toList();
    final QuorumLockStore store = store(nodes);
    final Claim claim = new Claim(ID, "first");
    final Claim other = new Claim(ID, "second");

    QuorumLockStore store(List<TestNode> nodes) {
        return store(nodes, time);
    }

    static QuorumLockStore store(List<TestNode> nodes, Scheduler time) {
        List<QuorumNode> named = IntStream.range(0, nodes.size())
                .mapToObj(i -> new QuorumNode("node-" + (i + 1), nodes.get(i)))
                .toList();
        return new QuorumLockStore(named, NODE_TIMEOUT, time);
    }

    TestNode node(int number) {
        return nodes.get(number - 1);
    }

    void line(TestNode.Line line, int... numbers) {
        IntStream.of(numbers).forEach(number -> node(number).line(line));
    }

    AcquireResult acquire(Claim claim) {
        return now(store.acquire(claim, TTL, Duration.ZERO));
    }

    Granted granted(Claim claim) {
        AcquireResult attempt = acquire(claim);
        assertThat(attempt).isInstanceOf(Granted.class);
        return (Granted) attempt;
    }

    boolean extend(Claim claim) {
        return !now(store.extend(claim, 1, TTL)).isZero();
    }

    Release release(Claim claim) {
        return now(store.release(claim));
    }

    /** At how many nodes a client holds the lock. */
    long keepers() {
        return nodes.stream().filter(node -> node.keeps(ID)).count();
    }

    /** Lets the quorum do what it does in the background. */
    void later() {
        time.advance(Duration.ofSeconds(5));
    }

    static <T> T now(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(future).isCompleted();
        return future.join();
    }

    static StoreException failure(CompletionStage<?> stage) {
        CompletableFuture<StoreException> failure = new CompletableFuture<>();
        stage.whenComplete((value, thrown) ->
                failure.complete((StoreException) (thrown instanceof StoreException ? thrown : thrown.getCause())));
        return now(failure);
    }
}
