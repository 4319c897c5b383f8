package io.distributedlock.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class ReactiveLockTemplateTest {

    private static final LockRequest STOCK = LockRequest.of("stock", "7");
    private static final Duration SOON = Duration.ofSeconds(20);

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final ReactiveLockTemplate template = new ReactiveLockTemplate(client);

    @AfterEach
    void close() {
        client.close();
    }

    private boolean isFree() {
        return client.held().isEmpty();
    }

    @Test
    void nothingHappensBeforeTheSubscription() {
        template.execute(STOCK, Mono.just("sold"));
        assertThat(isFree()).isTrue();
    }

    @Test
    void aMonoRunsUnderTheLockAndItsValueComesAfterTheRelease() {
        AtomicBoolean heldByWork = new AtomicBoolean();
        AtomicBoolean freeAtValue = new AtomicBoolean();
        String value = template.execute(
                        STOCK,
                        lock -> Mono.fromSupplier(() -> {
                            heldByWork.set(lock.isHeld());
                            return "sold";
                        }))
                .doOnNext(sold -> freeAtValue.set(isFree()))
                .block(SOON);
        assertThat(value).isEqualTo("sold");
        assertThat(heldByWork).isTrue();
        assertThat(freeAtValue).isTrue();
    }

    @Test
    void anEmptyMonoReleasesTheLock() {
        assertThat(template.execute(STOCK, Mono.<String>empty()).blockOptional(SOON))
                .isEmpty();
        assertThat(isFree()).isTrue();
    }

    @Test
    void aFluxHoldsTheLockUntilItsLastElementAndCompletesAfterTheRelease() {
        List<Boolean> heldAtElements = new CopyOnWriteArrayList<>();
        AtomicBoolean freeAtCompletion = new AtomicBoolean();
        List<Integer> elements = template.executeMany(STOCK, lock -> Flux.range(1, 3))
                .doOnNext(element -> heldAtElements.add(!isFree()))
                .doOnComplete(() -> freeAtCompletion.set(isFree()))
                .collectList()
                .block(SOON);
        assertThat(elements).containsExactly(1, 2, 3);
        assertThat(heldAtElements).containsExactly(true, true, true);
        assertThat(freeAtCompletion).isTrue();
    }

    @Test
    void anErrorReachesTheSubscriberAfterTheRelease() {
        AtomicBoolean freeAtError = new AtomicBoolean();
        Mono<String> failing = template.execute(STOCK, Mono.<String>error(new IllegalStateException("sold out")))
                .doOnError(failure -> freeAtError.set(isFree()));
        assertThatThrownBy(() -> failing.block(SOON)).isInstanceOf(IllegalStateException.class);
        assertThat(freeAtError).isTrue();
    }

    @Test
    void cancellationReleasesTheLock() {
        Disposable running = template.executeMany(STOCK, Flux.<String>never()).subscribe();
        await().until(() -> !isFree());
        running.dispose();
        await().until(this::isFree);
    }

    @Test
    void theWorkIsCancelledBeforeItsLockIsReleased() {
        List<Boolean> heldAtCancellation = new CopyOnWriteArrayList<>();
        AtomicBoolean working = new AtomicBoolean();
        for (Publisher<String> cancelled : List.of(
                template.execute(
                        STOCK,
                        lock -> Mono.<String>never()
                                .doOnSubscribe(subscribed -> working.set(true))
                                .doOnCancel(() -> heldAtCancellation.add(lock.isHeld()))),
                template.executeMany(
                        STOCK,
                        lock -> Flux.<String>never()
                                .doOnSubscribe(subscribed -> working.set(true))
                                .doOnCancel(() -> heldAtCancellation.add(lock.isHeld()))))) {
            Disposable running = Flux.from(cancelled).subscribe();
            await().untilTrue(working);
            working.set(false);
            running.dispose();
            await().until(this::isFree);
        }
        assertThat(heldAtCancellation).containsExactly(true, true);
    }

    @Test
    void takingOnlyTheFirstElementsReleasesTheLock() {
        assertThat(template.executeMany(STOCK, Flux.range(1, 100))
                        .take(2)
                        .count()
                        .block(SOON))
                .isEqualTo(2);
        await().until(this::isFree);
    }

    @Test
    void cancellationWhileWaitingWithdrawsTheClaim() {
        LockHandle holder = client.acquire(STOCK);
        AtomicBoolean ran = new AtomicBoolean();
        Disposable waiting =
                template.execute(STOCK, Mono.fromRunnable(() -> ran.set(true))).subscribe();
        waiting.dispose();
        holder.release();

        client.acquire(STOCK.withWaitTime(Duration.ofSeconds(5))).release();
        assertThat(ran).isFalse();
        assertThat(isFree()).isTrue();
    }

    @Test
    void aRefusalIsAnError() {
        try (LockHandle holder = client.acquire(STOCK)) {
            Mono<String> refused = template.execute(STOCK.withWaitTime(Duration.ZERO), Mono.just("sold"));
            assertThatThrownBy(() -> refused.block(SOON)).isInstanceOf(LockNotAcquiredException.class);
        }
    }

    @Test
    void aLossBeforeTheCompletionIsAnError() {
        Sinks.One<String> result = Sinks.one();
        AtomicReference<Throwable> told = new AtomicReference<>();
        template.execute(STOCK.withTtl(Duration.ofMillis(200)), lock -> {
                    lock.lost().thenRun(() -> result.tryEmitValue("sold"));
                    return result.asMono();
                })
                .subscribe(value -> {}, told::set);
        await().untilAtomic(told, org.hamcrest.Matchers.notNullValue());
        assertThat(told.get()).isInstanceOf(LockLostException.class);
    }

    @Test
    void subscriptionsExcludeEachOther() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        Mono<Long> purchase = template.execute(
                STOCK.withWaitTime(SOON),
                lock -> Mono.fromRunnable(() -> {
                            overlaps.addAndGet(inside.incrementAndGet() - 1);
                        })
                        .then(Mono.delay(Duration.ofMillis(2)))
                        .doOnTerminate(inside::decrementAndGet));
        assertThat(Flux.range(0, 20).flatMap(i -> purchase).count().block(SOON)).isEqualTo(20);
        assertThat(overlaps).hasValue(0);
    }
}
