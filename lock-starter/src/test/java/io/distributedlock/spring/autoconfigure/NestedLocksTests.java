package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockListener;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods with several locks, one inside the other. */
@Timeout(60)
class NestedLocksTests {

    private static final String[] BOTH = {"outer:1", "inner:2"};

    private static List<String> locks(ApplicationContext context) {
        return context.getBean(LockClient.class).held().stream()
                .map(lock -> lock.name() + ":" + lock.key())
                .toList();
    }

    static class Transfers {

        private final ApplicationContext context;

        Transfers(ApplicationContext context) {
            this.context = context;
        }

        @DistributedLock(name = "outer", key = "#from", waitTime = "0")
        @DistributedLock(name = "inner", key = "#to", waitTime = "0")
        public List<String> now(String from, String to) {
            return locks(context);
        }

        @DistributedLock(name = "outer", key = "#from", waitTime = "0")
        @DistributedLock(name = "inner", key = "#to", waitTime = "0")
        public CompletableFuture<List<String>> later(String from, String to) {
            return CompletableFuture.supplyAsync(() -> locks(context));
        }

        @DistributedLock(name = "outer", key = "#from", waitTime = "0")
        @DistributedLock(name = "inner", key = "#to", waitTime = "0")
        public Mono<List<String>> published(String from, String to) {
            return Mono.delay(Duration.ofMillis(20)).map(tick -> locks(context));
        }

        @DistributedLock(name = "outer", key = "#from", waitTime = "0")
        @DistributedLock(name = "inner", key = "#to", waitTime = "0")
        public Flux<List<String>> streamed(String from, String to) {
            return Flux.interval(Duration.ofMillis(20)).take(2).map(tick -> locks(context));
        }

        @DistributedLock(name = "outer", key = "#from", condition = "#from != #to")
        @DistributedLock(name = "inner", key = "#to", waitTime = "0", onRefusal = OnRefusal.SKIP)
        public List<String> sometimes(String from, String to) {
            return LockContext.current().stream()
                    .map(lock -> lock.name() + ":" + lock.key())
                    .toList();
        }
    }

    /** An aspect of the application that runs under the locks. */
    @Aspect
    @Order
    static class Audit {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Before(
                "execution(* io.distributedlock.spring.autoconfigure.NestedLocksTests.Transfers.*(..)) && args(from, to)")
        public void note(JoinPoint call, String from, String to) {
            seen.add(call.getSignature().getName() + " " + from + to);
        }
    }

    private static void withTransfers(BiConsumer<ApplicationContext, Transfers> test) {
        Contexts.withMemory()
                .withConfiguration(
                        AutoConfigurations.of(LockReactiveAutoConfiguration.class, AopAutoConfiguration.class))
                .withBean(Transfers.class)
                .withBean(Audit.class)
                .run(context -> test.accept(context, context.getBean(Transfers.class)));
    }

    private static void awaitFree(ApplicationContext context) {
        await().until(() -> locks(context).isEmpty());
    }

    @Test
    void allLocksAreHeldUntilTheResultIsCompleteWhateverItsType() {
        withTransfers((context, transfers) -> {
            assertThat(transfers.now("1", "2")).containsExactlyInAnyOrder(BOTH);
            awaitFree(context);
            assertThat(transfers.later("1", "2").join()).containsExactlyInAnyOrder(BOTH);
            awaitFree(context);
            Mono<List<String>> published = transfers.published("1", "2");
            assertThat(locks(context)).isEmpty();
            assertThat(published.block()).containsExactlyInAnyOrder(BOTH);
            assertThat(published.block()).as("a second subscription").containsExactlyInAnyOrder(BOTH);
            awaitFree(context);
            assertThat(transfers.streamed("1", "2").collectList().block())
                    .hasSize(2)
                    .allSatisfy(held -> assertThat(held).containsExactlyInAnyOrder(BOTH));
            awaitFree(context);
            assertThat(context.getBean(Audit.class).seen)
                    .containsExactly("now 12", "later 12", "published 12", "published 12", "streamed 12");
        });
    }

    @Test
    void theInnermostLockIsTakenLastAndReleasedFirst() {
        List<String> events = new CopyOnWriteArrayList<>();
        LockListener listener = event -> {
            if (event instanceof LockEvent.Acquired) {
                events.add("+" + event.name());
            } else if (event instanceof LockEvent.Released) {
                events.add("-" + event.name());
            }
        };
        Contexts.withMemory()
                .withBean(Transfers.class)
                .withBean(LockListener.class, () -> listener)
                .run(context -> {
                    context.getBean(Transfers.class).later("1", "2").join();
                    await().untilAsserted(
                                    () -> assertThat(events).containsExactly("+outer", "+inner", "-inner", "-outer"));
                });
    }

    @Test
    void theOuterLockIsReleasedIfTheInnerOneIsRefused() {
        withTransfers((context, transfers) -> {
            try (LockHandle taken = context.getBean(LockClient.class).acquire(LockRequest.of("inner", "2"))) {
                refused(() -> transfers.now("1", "2"));
                assertThat(transfers.later("1", "2"))
                        .failsWithin(Duration.ofSeconds(50))
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(LockNotAcquiredException.class);
                refused(() -> transfers.published("1", "2").block());
                refused(() -> transfers.streamed("1", "2").blockLast());
                await().until(() -> locks(context).equals(List.of("inner:2")));
                assertThat(context.getBean(Audit.class).seen).isEmpty();
                assertThat(taken.isHeld()).isTrue();
            }
        });
    }

    private static void refused(Runnable call) {
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(call::run)
                .satisfies(refusal -> assertThat(refusal.lockName()).isEqualTo("inner"));
    }

    @Test
    void eachLockHasItsOwnConditionAndItsOwnAnswerToARefusal() {
        withTransfers((context, transfers) -> {
            assertThat(transfers.sometimes("1", "2")).containsExactlyInAnyOrder(BOTH);
            assertThat(transfers.sometimes("2", "2")).containsExactly("inner:2");
            try (LockHandle other = context.getBean(LockClient.class).acquire(LockRequest.of("inner", "2"))) {
                assertThat(transfers.sometimes("1", "2")).as("skipped").isNull();
                assertThat(other.isHeld()).isTrue();
            }
            awaitFree(context);
        });
    }

    @Test
    void allKeysAreCheckedBeforeTheFirstLockIsTaken() {
        withTransfers((context, transfers) -> {
            assertThatIllegalArgumentException().isThrownBy(() -> transfers.now("1", " "));
            assertThat(locks(context)).isEmpty();
        });
    }
}
