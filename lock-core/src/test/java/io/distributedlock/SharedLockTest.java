package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks that are shared, as callers see them. */
@Timeout(60)
class SharedLockTest {

    private static final LockRequest WRITING = LockRequest.of("account", "7").withWaitTime(Duration.ofSeconds(30));
    private static final LockRequest READING = WRITING.shared();

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final LockTemplate template = new LockTemplate(client);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aRequestSaysWhetherTheLockIsShared() {
        assertThat(WRITING.mode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(READING.withTtl(Duration.ofSeconds(1)).mode()).isEqualTo(LockMode.SHARED);
        assertThat(READING.key()).isEqualTo("7");
    }

    @Test
    void callersOfOneProcessShareALock() {
        List<LockHandle> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(client.acquire(READING));
        }
        assertThat(readers).allMatch(LockHandle::isHeld);
        assertThat(readers).extracting(LockHandle::fencingToken).isSorted().doesNotHaveDuplicates();
        assertThat(client.tryAcquire(WRITING.withWaitTime(Duration.ZERO))).isEmpty();
        readers.forEach(LockHandle::release);
        assertThat(client.tryAcquire(WRITING.withWaitTime(Duration.ZERO))).isPresent();
    }

    @Test
    void aWriterWaitsForAllReadersAndThenReadersWaitForIt() {
        LockHandle first = client.acquire(READING);
        LockHandle second = client.acquire(READING);
        CompletableFuture<LockHandle> writing = client.acquireAsync(WRITING);
        first.release();
        assertThat(writing).isNotDone();
        second.release();
        LockHandle writer = writing.join();
        CompletableFuture<LockHandle> reading = client.acquireAsync(READING);
        assertThat(client.tryAcquire(READING.withWaitTime(Duration.ZERO))).isEmpty();
        assertThat(reading).isNotDone();
        writer.release();
        assertThat(reading.join().isHeld()).isTrue();
    }

    @Test
    void aStreamOfReadersDoesNotKeepAWriterWaiting() {
        LockHandle present = client.acquire(READING);
        CompletableFuture<LockHandle> writing = client.acquireAsync(WRITING);
        await().until(() ->
                client.tryAcquire(READING.withWaitTime(Duration.ZERO)).isEmpty());
        List<CompletableFuture<LockHandle>> stream =
                Stream.generate(() -> client.acquireAsync(READING)).limit(20).toList();
        present.release();
        LockHandle writer = writing.join();
        assertThat(stream).noneMatch(CompletableFuture::isDone);
        writer.release();
        assertThat(stream)
                .allSatisfy(reader -> assertThat(reader.join().isHeld()).isTrue());
    }

    @Test
    void eachReaderIsRenewedForItself() {
        ManualScheduler time = new ManualScheduler();
        LockClient timed = new DefaultLockClientBuilder(new InMemoryLockStore(time::now))
                .timeline(time)
                .executor(Runnable::run)
                .signals(Runnable::run)
                .ttl(Duration.ofSeconds(30))
                .build();
        LockHandle first = timed.acquireAsync(READING).join();
        LockHandle brief =
                timed.acquireAsync(READING.withTtl(Duration.ofSeconds(3))).join();
        LockHandle second = timed.acquireAsync(READING).join();
        first.releaseAsync();
        for (int i = 0; i < 100; i++) {
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(second.isHeld()).isTrue();
        assertThat(brief.lost()).isCompletedWithValue(LossReason.DEADLINE);
        CompletableFuture<LockHandle> writing = timed.acquireAsync(WRITING);
        assertThat(writing).isNotDone();
        second.releaseAsync();
        assertThat(writing).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void aShareIsCoveredByTheWholeLockButNotTheReverse() {
        assertThat(template.<Long, RuntimeException>execute(
                        WRITING, whole -> template.execute(READING, LockHandle::fencingToken) - whole.fencingToken()))
                .isZero();
        assertThat(template.<Boolean, RuntimeException>execute(
                        READING, share -> template.execute(READING, again -> again == share)))
                .isTrue();
        assertThatThrownBy(() -> template.run(READING, share -> template.run(WRITING, whole -> {})))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("account:7")
                .hasMessageContaining("wait for itself");
    }

    @Test
    void allWhoShareALockLoseItIfItIsTakenAway() {
        LockHandle first = client.acquire(READING);
        LockHandle second = client.acquire(READING);
        Optional<LockReport.Stored> found = client.monitor().find("account:7");
        assertThat(found).hasValueSatisfying(stored -> {
            assertThat(stored.holders()).isEqualTo(2);
            assertThat(stored.heldHere()).isTrue();
        });
        assertThat(client.monitor().forceRelease("account:7")).isPresent();
        assertThat(first.lost().toCompletableFuture().join()).isEqualTo(LossReason.FORCED);
        assertThat(second.lost().toCompletableFuture().join()).isEqualTo(LossReason.FORCED);
        assertThat(client.tryAcquire(WRITING.withWaitTime(Duration.ZERO))).isPresent();
    }

    @Test
    void aLostReplyOfASharedTryIsConfirmedAndAnAbandonedOneIsTakenBack() {
        Bench bench = new Bench();
        CompletableFuture<LockHandle> reader = bench.client.acquireAsync(READING);
        ScriptedCall lost = bench.acquire();
        lost.fails(StoreException.Effect.UNKNOWN);
        bench.advance(Bench.MAX_PAUSE);
        assertThat(bench.acquire()).isNotSameAs(lost);
        assertThat(bench.acquire().claim()).isEqualTo(lost.claim());
        assertThat(lost.claim().isShared()).isTrue();
        bench.acquire().fails(StoreException.Effect.UNKNOWN);
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(reader).isCompletedExceptionally();
        assertThat(bench.release().claim()).isEqualTo(lost.claim());
    }

    @Test
    void aStoreWithoutSharesSaysSo() {
        List<QuorumNode> nodes = Stream.of("a", "b", "c")
                .map(name -> new QuorumNode(name, new InMemoryLockStore()))
                .toList();
        try (LockClient quorum = LockClient.builder(new QuorumLockStore(nodes, Duration.ofSeconds(1)))
                .build()) {
            assertThatThrownBy(() -> quorum.acquire(READING))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("account:7")
                    .hasMessageContaining("SHARED");
            assertThat(quorum.acquireAsync(READING)).isCompletedExceptionally();
        }
    }
}
