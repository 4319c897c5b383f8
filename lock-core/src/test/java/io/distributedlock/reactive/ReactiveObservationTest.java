package io.distributedlock.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockObserver;
import io.distributedlock.LockRequest;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class ReactiveObservationTest {

    private static final LockRequest STOCK = LockRequest.of("stock", "7").withWaitTime(Duration.ZERO);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ReactiveLockTemplate template = new ReactiveLockTemplate(client, this::begin);

    private LockObserver.Observed begin(LockRequest request) {
        seen.add("begin " + request.key());
        return new LockObserver.Observed() {
            @Override
            public LockObserver.Scope enter() {
                throw new AssertionError("no thread works for a subscription");
            }

            @Override
            public void end(@Nullable Throwable failure) {
                seen.add("end " + (failure == null ? "well" : failure.getClass().getSimpleName()));
            }
        };
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void eachSubscriptionIsObservedOnce() {
        Mono<String> sale = template.execute(STOCK, Mono.just("sold"));
        assertThat(seen).isEmpty();
        sale.block(SOON);
        sale.block(SOON);
        assertThat(seen).containsExactly("begin 7", "end well", "begin 7", "end well");
    }

    @Test
    void aStreamIsObservedUntilItsEnd() {
        template.executeMany(STOCK, Flux.range(1, 3).doOnNext(number -> seen.add("item " + number)))
                .blockLast(SOON);
        assertThat(seen).containsExactly("begin 7", "item 1", "item 2", "item 3", "end well");
    }

    @Test
    void aRefusalIsSeen() {
        try (LockHandle other = client.acquire(STOCK)) {
            assertThatThrownBy(() -> template.execute(STOCK, Mono.just(other)).block(SOON))
                    .isInstanceOf(LockNotAcquiredException.class);
        }
        assertThat(seen).containsExactly("begin 7", "end LockNotAcquiredException");
    }

    @Test
    void aCancellationIsSeen() {
        Disposable subscription = template.executeMany(STOCK, Flux.never()).subscribe();
        subscription.dispose();
        assertThat(seen).containsExactly("begin 7", "end " + CancellationException.class.getSimpleName());
    }
}
