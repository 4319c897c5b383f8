package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/** Methods that return a publisher take their lock for each subscription, and hold it until that ends. */
@SpringBootTest(classes = ShopApplication.class, properties = "distributed-lock.store=memory")
@Import(LockedPublisherTests.Shelf.class)
@DirtiesContext
class LockedPublisherTests {

    private static final LockRequest TEA = LockRequest.of("shelf", "tea").withWaitTime(Duration.ZERO);
    private static final Duration SOON = Duration.ofSeconds(60);

    @Autowired
    private Shelf shelf;

    @Autowired
    private LockClient client;

    private Sinks.Many<String> items;

    @BeforeEach
    void newItems() {
        items = Sinks.many().unicast().onBackpressureBuffer();
        Shelf.CALLS.set(0);
    }

    @AfterEach
    void nothingIsHeld() {
        await().untilAsserted(() -> assertThat(client.held()).isEmpty());
    }

    /** Each return type, as what a caller subscribes to. */
    record Type(String name, Call call) {
        @Override
        public String toString() {
            return name;
        }

        interface Call {
            Flux<String> of(Shelf shelf, Flux<String> items);
        }
    }

    static Stream<Type> types() {
        return Stream.of(
                new Type(
                        "Mono",
                        (shelf, items) -> shelf.mono("tea", items.next()).flux()),
                new Type("Flux", (shelf, items) -> shelf.flux("tea", items)),
                new Type("Publisher", (shelf, items) -> Flux.from(shelf.publisher("tea", items))),
                new Type(
                        "Flow.Publisher",
                        (shelf, items) -> JdkFlowAdapter.flowPublisherToFlux(shelf.flow("tea", items))));
    }

    @ParameterizedTest
    @MethodSource("types")
    void nothingHappensBeforeTheSubscriptionAndTheLockIsHeldUntilTheEnd(Type type) {
        Flux<String> result = type.call().of(shelf, items.asFlux());
        assertThat(Shelf.CALLS).hasValue(0);
        Disposable subscription = result.subscribe();
        await().until(() -> Shelf.CALLS.get() == 1);
        assertThat(client.held()).extracting(LockHandle::key).containsExactly("tea");
        items.tryEmitNext("green").orThrow();
        items.tryEmitComplete();
        await().until(subscription::isDisposed);
        assertThat(client.held()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("types")
    void anErrorReleasesTheLockBeforeItReachesTheSubscriber(Type type) {
        IllegalStateException failure = new IllegalStateException("empty");
        AtomicInteger heldAtError = new AtomicInteger(-1);
        Flux<String> result = type.call()
                .of(shelf, Flux.error(failure))
                .doOnError(seen -> heldAtError.set(client.held().size()));
        assertThatIllegalStateException()
                .isThrownBy(() -> result.blockLast(SOON))
                .withMessage("empty");
        assertThat(heldAtError).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("types")
    void aCancellationReleasesTheLock(Type type) {
        AtomicInteger cancelled = new AtomicInteger();
        Disposable subscription = type.call()
                .of(shelf, items.asFlux().doOnCancel(cancelled::incrementAndGet))
                .subscribe();
        await().until(() -> Shelf.CALLS.get() == 1 && items.currentSubscriberCount() == 1);
        subscription.dispose();
        await().until(() -> cancelled.get() == 1);
    }

    @ParameterizedTest
    @MethodSource("types")
    void aRefusalIsAnErrorAndTheMethodIsNotCalled(Type type) {
        try (LockHandle other = client.acquire(TEA)) {
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(
                            () -> type.call().of(shelf, Flux.just(other.key())).blockLast(SOON));
        }
        assertThat(Shelf.CALLS).hasValue(0);
    }

    @Test
    void eachSubscriptionCallsTheMethodUnderALockOfItsOwn() {
        Mono<Long> token = shelf.token("tea");
        assertThat(List.of(token.block(SOON), token.block(SOON))).doesNotHaveDuplicates();
        assertThat(Shelf.CALLS).hasValue(2);
    }

    @Test
    void aValueOfAMonoIsPassedOnAfterTheRelease() {
        assertThat(shelf.mono("tea", Mono.just("green"))
                        .map(item -> item + client.held().size())
                        .block(SOON))
                .isEqualTo("green0");
    }

    @Test
    void aSourceOfOneValueIsNotCancelledWhenItsValueHasCome() {
        AtomicInteger cancelled = new AtomicInteger();
        Mono<String> source = Mono.just("green").hide().doOnCancel(cancelled::incrementAndGet);
        assertThat(shelf.mono("tea", source).block(SOON)).isEqualTo("green");
        assertThat(cancelled).hasValue(0);
    }

    @Test
    void aSkippedCallIsEmpty() {
        try (LockHandle other = client.acquire(TEA)) {
            assertThat(shelf.monoUnlessBusy("tea").block(SOON)).isNull();
            assertThat(shelf.fluxUnlessBusy(other.key()).collectList().block(SOON))
                    .isEmpty();
        }
        assertThat(shelf.monoUnlessBusy("tea").block(SOON)).isEqualTo("green");
        assertThat(shelf.fluxUnlessBusy("tea").collectList().block(SOON)).containsExactly("green", "black");
    }

    @Test
    void theSubscribersContextReachesTheMethodsPublisher() {
        Mono<String> source = Mono.deferContextual(context -> Mono.just(context.get("user")));
        assertThat(shelf.mono("tea", source)
                        .contextWrite(Context.of("user", "ann"))
                        .block(SOON))
                .isEqualTo("ann");
    }

    static class Shelf {
        static final AtomicInteger CALLS = new AtomicInteger();

        @DistributedLock(name = "shelf", key = "#id", waitTime = "0")
        public Mono<String> mono(String id, Mono<String> items) {
            CALLS.incrementAndGet();
            return items;
        }

        @DistributedLock(name = "shelf", key = "#id", waitTime = "0")
        public Flux<String> flux(String id, Flux<String> items) {
            CALLS.incrementAndGet();
            return items;
        }

        @DistributedLock(name = "shelf", key = "#id", waitTime = "0")
        public Publisher<String> publisher(String id, Flux<String> items) {
            CALLS.incrementAndGet();
            return items;
        }

        @DistributedLock(name = "shelf", key = "#id", waitTime = "0")
        public Flow.Publisher<String> flow(String id, Flux<String> items) {
            CALLS.incrementAndGet();
            return JdkFlowAdapter.publisherToFlowPublisher(items);
        }

        @DistributedLock(name = "shelf", key = "#id")
        public Mono<Long> token(String id) {
            CALLS.incrementAndGet();
            return Mono.just(LockContext.find("shelf").orElseThrow().fencingToken());
        }

        @DistributedLock(name = "shelf", key = "#id", waitTime = "0", onRefusal = OnRefusal.SKIP)
        public Mono<String> monoUnlessBusy(String id) {
            return Mono.just("green");
        }

        @DistributedLock(name = "shelf", key = "#id", waitTime = "0", onRefusal = OnRefusal.SKIP)
        public Flux<String> fluxUnlessBusy(String id) {
            return Flux.just("green", "black");
        }
    }
}
