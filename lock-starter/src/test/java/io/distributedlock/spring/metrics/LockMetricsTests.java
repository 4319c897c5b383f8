package io.distributedlock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.memory.InMemoryLockStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LockMetricsTests {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");
    private static final LockRequest ONCE = WANTED.withWaitTime(Duration.ZERO);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LockMetrics metrics = new LockMetrics(() -> this.client, 3);
    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).listener(metrics).build();

    @BeforeEach
    void bind() {
        metrics.bindTo(registry);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void requestsAreTimedByTheirOutcome() {
        LockHandle lock = client.acquire(WANTED);
        assertThat(client.tryAcquire(ONCE)).isEmpty();
        lock.release();
        awaitTimer("lock.acquire", "outcome", "refused", 1);
        Timer acquired = awaitTimer("lock.acquire", "outcome", "acquired", 1);
        assertThat(acquired.getId().getTags())
                .containsExactlyInAnyOrder(
                        Tag.of("name", "orders"), Tag.of("mode", "exclusive"), Tag.of("outcome", "acquired"));
    }

    @Test
    void onlyRequestsThatMetAnotherHolderHaveWaited() {
        LockHandle lock = client.acquire(WANTED);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
        lock.release();
        second.join().release();
        awaitTimer("lock.acquire", "outcome", "acquired", 2);
        assertThat(awaitTimer("lock.wait", "name", "orders", 1).count()).isOne();
    }

    @Test
    void holdsAreTimedUntilTheirEnd() {
        client.acquire(WANTED).release();
        assertThat(awaitTimer("lock.hold", "outcome", "released", 1).totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
    }

    @Test
    void lossesAreCountedByTheirReason() {
        LockHandle lock = client.acquire(WANTED.withTtl(Duration.ofSeconds(1)));
        assertThat(lock.lost().toCompletableFuture().join()).isEqualTo(LossReason.DEADLINE);
        awaitTimer("lock.hold", "outcome", "lost", 1);
        await().until(() -> registry.get("lock.lost")
                        .tag("reason", "deadline")
                        .tag("name", "orders")
                        .counter()
                        .count()
                == 1);
    }

    @Test
    void theOutcomesOfAReleaseAreToldApart() {
        Duration held = Duration.ofMillis(5);
        metrics.on(new LockEvent.Released("orders", "42", held, true));
        metrics.on(new LockEvent.Released("orders", "42", held, false));
        metrics.on(new LockEvent.Lost("orders", "42", LossReason.ABSENT, held));
        metrics.on(new LockEvent.Lost("orders", "42", LossReason.NOT_OWNER, held));
        assertThat(awaitTimer("lock.hold", "outcome", "released", 1).count()).isOne();
        assertThat(awaitTimer("lock.hold", "outcome", "unconfirmed", 1).count()).isOne();
        for (String reason : List.of("absent", "not-owner")) {
            assertThat(registry.get("lock.lost").tag("reason", reason).counter().count())
                    .isOne();
        }
    }

    @Test
    void lossesAreCountedFromZeroSoThatTheFirstOneIsAnIncrease() {
        client.acquire(WANTED).release();
        awaitTimer("lock.hold", "outcome", "released", 1);
        assertThat(registry.get("lock.lost").tag("name", "orders").counters())
                .hasSize(LossReason.values().length)
                .allSatisfy(counter -> assertThat(counter.count()).isZero());
    }

    @Test
    void whoWaitedInLineForALockWithAnOwnTtlHasWaited() {
        LockRequest limited = WANTED.withTtl(Duration.ofSeconds(30));
        LockHandle lock = client.acquire(limited);
        CompletableFuture<LockHandle> second = client.acquireAsync(limited);
        lock.release();
        second.join().release();
        awaitTimer("lock.acquire", "outcome", "acquired", 2);
        assertThat(awaitTimer("lock.wait", "name", "orders", 1).count()).isOne();
    }

    @Test
    void sharesAreToldApartByTheirMode() {
        client.acquire(WANTED.shared()).release();
        client.acquire(WANTED).release();
        assertThat(awaitTimer("lock.acquire", "mode", "shared", 1).count()).isOne();
        assertThat(awaitTimer("lock.acquire", "mode", "exclusive", 1).count()).isOne();
    }

    @Test
    void whatIsHeldAndAwaitedIsAGaugeForEachName() {
        LockHandle lock = client.acquire(WANTED);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
        awaitGauge("lock.held", 1);
        awaitGauge("lock.waiting", 1);
        lock.release();
        second.join().release();
        awaitGauge("lock.held", 0);
        awaitGauge("lock.waiting", 0);
    }

    @Test
    void whatTheClientCountsIsReadFromIt() {
        assertThat(registry.get("lock.reaper.size").gauge().value()).isZero();
        assertThat(registry.get("lock.renewal.lag").timeGauge().value()).isZero();
        assertThat(registry.get("lock.events.dropped").functionCounter().count())
                .isZero();
        assertThat(registry.get("lock.renewals").functionCounters())
                .extracting(counter -> counter.getId().getTag("outcome"))
                .containsExactlyInAnyOrder("succeeded", "failed");
        assertThat(registry.get("lock.ambiguous").functionCounters())
                .extracting(counter -> counter.getId().getTag("resolved"))
                .containsExactlyInAnyOrder("granted", "cleaned", "expired", "dropped");
    }

    @Test
    void keysNeverGetIntoTagsAndNamesOnlyUpToTheirBound() {
        for (int i = 0; i < 20; i++) {
            client.acquire(LockRequest.of("name" + i, "user-" + i)).release();
        }
        await().ignoreExceptions()
                .until(() -> registry.get("lock.acquire").timers().stream()
                                .mapToLong(Timer::count)
                                .sum()
                        == 20);
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .extracting(Tag::getValue)
                .noneMatch(value -> value.contains("user-"));
        assertThat(registry.get("lock.acquire").timers())
                .extracting(timer -> timer.getId().getTag("name"))
                .containsExactlyInAnyOrder("name0", "name1", "name2", "(others)");
        assertThat(registry.get("lock.held").gauges()).hasSize(4);
    }

    @Test
    void aSecondRegistryGetsTheSameMeters() {
        client.acquire(WANTED).release();
        awaitTimer("lock.hold", "outcome", "released", 1);
        SimpleMeterRegistry late = new SimpleMeterRegistry();
        metrics.bindTo(late);
        assertThat(late.get("lock.held").tag("name", "orders").gauge().value()).isZero();
        client.acquire(WANTED).release();
        awaitTimer("lock.hold", "outcome", "released", 2);
        await().until(() -> late.get("lock.hold").timer().count() == 1);
    }

    @Test
    void everyMeterSaysWhatItIs() {
        client.acquire(WANTED).release();
        awaitTimer("lock.hold", "outcome", "released", 1);
        assertThat(registry.getMeters())
                .isNotEmpty()
                .extracting(Meter::getId)
                .allSatisfy(id -> assertThat(id.getDescription()).isNotBlank());
    }

    private Timer awaitTimer(String name, String tag, String value, int count) {
        await().until(() ->
                Optional.ofNullable(registry.find(name).tag(tag, value).timer())
                                .map(Timer::count)
                                .orElse(0L)
                        >= count);
        return registry.get(name).tag(tag, value).timer();
    }

    private void awaitGauge(String name, int value) {
        await().until(() -> registry.find(name).tag("name", "orders").gauge() != null
                && registry.get(name).tag("name", "orders").gauge().value() == value);
    }
}
