package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.DistributedLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The locks of several keys are taken and released together by methods whose result comes later, too. */
@SpringBootTest(classes = ShopApplication.class, properties = "distributed-lock.store=memory")
@Import(SeveralKeysLaterTests.Transfers.class)
@DirtiesContext
class SeveralKeysLaterTests {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final CompletableFuture<String> transfer = new CompletableFuture<>();
    private final Sinks.One<String> signal = Sinks.one();

    @Autowired
    private Transfers transfers;

    @Autowired
    private LockClient client;

    @AfterEach
    void nothingIsHeld() {
        await().untilAsserted(() -> assertThat(client.held()).isEmpty());
    }

    @Test
    void aFutureHoldsThemAllUntilItIsComplete() throws Exception {
        CompletableFuture<String> result = transfers.later("ann", "bob", transfer);
        CompletableFuture<Integer> heldAtResult =
                result.thenApply(text -> client.held().size());
        await().untilAsserted(() -> assertThat(held()).containsExactlyInAnyOrder("ann", "bob"));
        transfer.complete("booked");
        assertThat(heldAtResult.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(result.join()).isEqualTo("booked under 2 locks");
    }

    @Test
    void aFutureWhoseSecondLockIsRefusedHoldsNone() {
        try (LockHandle other = client.acquire(LockRequest.of("account", "bob"))) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(
                            () -> transfers.later("ann", other.key(), transfer).join())
                    .withCauseInstanceOf(LockNotAcquiredException.class);
            assertThat(held()).containsExactly("bob");
        }
    }

    @Test
    void aMonoHoldsThemAllUntilItsValue() {
        Mono<String> result = transfers.reactive("ann", "bob", signal.asMono());
        assertThat(held()).isEmpty();
        CompletableFuture<Integer> heldAtResult =
                result.map(text -> client.held().size()).toFuture();
        await().untilAsserted(() -> assertThat(held()).containsExactlyInAnyOrder("ann", "bob"));
        signal.tryEmitValue("booked").orThrow();
        assertThat(heldAtResult).succeedsWithin(SOON).isEqualTo(0);
    }

    @Test
    void aMonoThatIsCancelledReleasesThemAll() {
        Disposable subscription =
                transfers.reactive("ann", "bob", signal.asMono()).subscribe();
        await().untilAsserted(() -> assertThat(held()).containsExactlyInAnyOrder("ann", "bob"));
        subscription.dispose();
        await().untilAsserted(() -> assertThat(held()).isEmpty());
    }

    @Test
    void aMonoWhoseSecondLockIsRefusedHoldsNone() {
        try (LockHandle other = client.acquire(LockRequest.of("account", "bob"))) {
            Mono<String> refused = transfers.reactive("ann", other.key(), signal.asMono());
            assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> refused.block(SOON));
            assertThat(held()).containsExactly("bob");
        }
    }

    private List<String> held() {
        return client.held().stream().map(LockHandle::key).toList();
    }

    static class Transfers {

        @DistributedLock(
                name = "account",
                key = {"#from", "#to"},
                waitTime = "0")
        public CompletableFuture<String> later(String from, String to, CompletableFuture<String> transfer) {
            int locks = LockContext.current().size();
            return transfer.thenApply(text -> text + " under " + locks + " locks");
        }

        @DistributedLock(
                name = "account",
                key = {"#from", "#to"},
                waitTime = "0")
        public Mono<String> reactive(String from, String to, Mono<String> transfer) {
            return transfer;
        }
    }
}
