package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockRefusal;
import io.distributedlock.spring.LockRefusedHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import reactor.core.publisher.Mono;

/** A bean answers the calls that are refused. */
@Timeout(60)
class LockRefusedHandlerTests {

    static class Catalogue {
        @DistributedLock(name = "item", key = "#id", waitTime = "0", handler = "cached")
        public String find(String id) throws IOException {
            return "found " + id;
        }

        @DistributedLock(name = "item", key = "#id", waitTime = "0", handler = "cached")
        public CompletableFuture<String> later(String id) {
            return CompletableFuture.completedFuture("found " + id);
        }

        @DistributedLock(name = "item", key = "#id", waitTime = "0", handler = "cached")
        public Mono<String> published(String id) {
            return Mono.just("found " + id);
        }
    }

    /** Answers each method in its own return type. */
    record Cached(List<LockRefusal> refusals) implements LockRefusedHandler {
        @Override
        public Object handle(LockRefusal refusal) throws IOException {
            refusals.add(refusal);
            String id = String.valueOf(refusal.arguments().get(0));
            if (id.equals("broken")) {
                throw new IOException("cache");
            }
            return switch (refusal.method().getName()) {
                case "later" -> CompletableFuture.completedFuture("cached " + id);
                case "published" -> Mono.just("cached " + id);
                default -> "cached " + id;
            };
        }
    }

    private static void withCatalogue(List<LockRefusal> refusals, ThrowingTest test) {
        Contexts.withMemory()
                .withConfiguration(AutoConfigurations.of(LockReactiveAutoConfiguration.class))
                .withBean("cached", LockRefusedHandler.class, () -> new Cached(refusals))
                .withBean(Catalogue.class)
                .run(context -> test.run(context, context.getBean(Catalogue.class)));
    }

    interface ThrowingTest {
        void run(AssertableApplicationContext context, Catalogue catalogue) throws Exception;
    }

    @Test
    void aHandlerAnswersRefusedCallsWithRequestArgumentsAndReason() {
        List<LockRefusal> refusals = new CopyOnWriteArrayList<>();
        withCatalogue(refusals, (context, catalogue) -> {
            assertThat(catalogue.find("7")).isEqualTo("found 7");
            try (LockHandle taken = context.getBean(LockClient.class).acquire(LockRequest.of("item", "7"))) {
                assertThat(catalogue.find("7")).isEqualTo("cached 7");
                assertThat(catalogue.later("7").get()).isEqualTo("cached 7");
                assertThat(catalogue.published("7").block()).isEqualTo("cached 7");
                assertThat(taken.isHeld()).isTrue();
            }
            assertThat(refusals).hasSize(3).allSatisfy(refusal -> {
                assertThat(refusal.request().key()).isEqualTo("7");
                assertThat(refusal.arguments()).containsExactly("7");
                assertThat(refusal.reason().lockName()).isEqualTo("item");
            });
        });
    }

    @Test
    void whatAHandlerThrowsReachesTheCaller() {
        String id = "broken";
        withCatalogue(new CopyOnWriteArrayList<>(), (context, catalogue) -> {
            try (LockHandle taken = context.getBean(LockClient.class).acquire(LockRequest.of("item", id))) {
                assertThatExceptionOfType(IOException.class).isThrownBy(() -> catalogue.find(id));
                assertThat(catalogue.later(id))
                        .failsWithin(Duration.ofSeconds(50))
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(IOException.class);
                assertThatExceptionOfType(RuntimeException.class)
                        .isThrownBy(() -> catalogue.published(id).block())
                        .withCauseInstanceOf(IOException.class);
                assertThat(taken.isHeld()).isTrue();
            }
        });
    }
}
