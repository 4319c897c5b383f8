package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However a lock is lost, another process gets it a margin after its holder had it last. */
@Timeout(120)
class MarginAfterLossTest {

    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private enum Loss {
        AT_THE_DEADLINE,
        AT_THE_DEADLINE_AFTER_A_HAND_OVER,
        AFTER_AN_EXTENSION,
        AT_MAX_HOLD,
        AT_MAX_HOLD_WITHIN_MIN_HOLD,
        OF_A_SHARE,
        AT_THE_CLOSE_OF_ITS_CLIENT
    }

    private LockClient client() {
        LockClient client = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                .ttl(Duration.ofSeconds(30))
                .stopMargin(MARGIN)
                .build();
        client.connect(LONG);
        return client;
    }

    @Test
    void anotherProcessGetsTheLockAMarginLater() {
        Map<Loss, CompletableFuture<Duration>> gaps = Arrays.stream(Loss.values())
                .collect(Collectors.toMap(
                        loss -> loss,
                        loss -> CompletableFuture.supplyAsync(() -> gap(loss), task -> new Thread(task).start())));
        assertThat(gaps).allSatisfy((loss, gap) -> assertThat(gap.join()).isGreaterThanOrEqualTo(MARGIN));
    }

    /** From the last moment at which the holder was seen to hold the lock until the next one has it. */
    private Duration gap(Loss loss) {
        try (LockClient holding = client();
                LockClient waiting = client()) {
            LockRequest wanted = LockRequest.of("orders", loss.name()).withWaitTime(LONG);
            AtomicLong lastHeld = new AtomicLong(System.nanoTime());
            LockHandle held = hold(loss, holding, waiting, wanted);
            CompletableFuture<Long> next = waiting.acquireAsync(wanted).thenApply(lock -> {
                lock.unbind();
                return System.nanoTime();
            });
            if (loss == Loss.AT_THE_CLOSE_OF_ITS_CLIENT) {
                holding.close();
            }
            await().atMost(30, TimeUnit.SECONDS)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .until(() -> {
                        long now = System.nanoTime();
                        boolean holds = held.isHeld();
                        if (holds) {
                            lastHeld.set(now);
                        }
                        return !holds;
                    });
            return Duration.ofNanos(next.orTimeout(60, TimeUnit.SECONDS).join() - lastHeld.get());
        }
    }

    private static @Nullable LockHandle extended(LockHandle lock) {
        lock.unbind();
        return lock.extendAsync(Duration.ofSeconds(2)).join() ? lock : null;
    }

    private LockHandle hold(Loss loss, LockClient holding, LockClient other, LockRequest wanted) {
        switch (loss) {
            case AT_THE_DEADLINE:
                return holding.acquire(wanted.withTtl(SHORT));
            case AT_THE_DEADLINE_AFTER_A_HAND_OVER: {
                LockHandle first = other.acquire(wanted);
                CompletableFuture<LockHandle> second = holding.acquireAsync(wanted.withTtl(Duration.ofMillis(2_500)));
                await().until(() ->
                        server.command("ZCARD", "lock:{orders:" + loss + "}:q").equals(1L));
                first.release();
                LockHandle handedOver = second.join();
                handedOver.unbind();
                return handedOver;
            }
            case AFTER_AN_EXTENSION: {
                // The extension may come too late if the machine stands still.
                return await().ignoreExceptionsInstanceOf(CompletionException.class)
                        .until(() -> extended(holding.acquire(wanted.withTtl(SHORT))), Objects::nonNull);
            }
            case AT_MAX_HOLD:
                return holding.acquire(wanted.withMaxHold(SHORT));
            case AT_MAX_HOLD_WITHIN_MIN_HOLD:
                return holding.acquire(wanted.withMinHold(Duration.ofSeconds(3)).withMaxHold(SHORT));
            case OF_A_SHARE:
                return holding.acquire(wanted.shared().withMaxHold(SHORT));
            default:
                return holding.acquire(wanted);
        }
    }
}
