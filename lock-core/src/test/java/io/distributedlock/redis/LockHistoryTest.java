package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClient;
import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockReport.Incident;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What went wrong with locks of one name, as any client of a Redis reads it. */
@Timeout(120)
class LockHistoryTest {

    private static final LockRequest WANTED = LockRequest.of("orders", "user-data-42");
    private static final String HISTORY = "lock:history:orders";

    /** A refusal that takes so long counts as one after a wait. */
    private static final Duration WAIT = Duration.ofMillis(100);

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private LockClientBuilder builder(String userInfo) {
        String uri = server.uri().replace("redis://", "redis://" + userInfo);
        return LockClient.builder(PatientStore.of(uri)).ttl(Duration.ofMinutes(5));
    }

    private LockClient client(String application) {
        return opened(builder("").identity(new ClientIdentity(application, null, "web-1", 7L, null)));
    }

    private static LockClient opened(LockClientBuilder builder) {
        LockClient client = builder.build();
        client.connect(Duration.ofMinutes(2));
        return client;
    }

    private static void refusedAfterAWait(LockClient client) {
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> client.acquire(WANTED.withWaitTime(Duration.ofMillis(200))));
    }

    private static List<Incident> history(LockClient client) {
        return client.monitor().history("orders");
    }

    @Test
    void anyClientReadsWhatWentWrongInAnotherWithoutTheKeyOfTheLock() {
        try (LockClient shop = client("shop");
                LockClient billing = client("billing");
                LockClient operator = client("operator")) {
            LockHandle held = shop.acquire(WANTED);
            refusedAfterAWait(billing);
            await().until(() -> history(operator).size() == 1);
            CompletableFuture<LockHandle> waiting = billing.acquireAsync(WANTED.withWaitTime(Duration.ofMinutes(1)));
            await().pollDelay(Duration.ofMillis(1_100))
                    .until(() -> server.command("ZCARD", "lock:{orders:user-data-42}:q")
                            .equals(1L));
            assertThat(operator.monitor().forceRelease("orders:user-data-42")).isPresent();
            await().untilAsserted(() -> assertThat(history(operator))
                    .extracting(Incident::what)
                    .containsExactlyInAnyOrder("late", "lost", "forced", "refused"));
            assertThat(held.isHeld()).isFalse();
            List<Incident> all = history(shop);
            assertThat(all).isEqualTo(history(billing));
            assertThat(all.get(3).what()).as("the oldest one comes last").isEqualTo("refused");
            assertThat(all).allSatisfy(one -> assertThat(one.leftOut()).isZero());
            assertThat(all)
                    .filteredOn(one -> one.what().equals("late"))
                    .singleElement()
                    .satisfies(late -> {
                        assertThat(late.client()).hasToString("billing on web-1 (pid 7)");
                        assertThat(late.time()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
                    });
            assertThat(all)
                    .filteredOn(one -> one.what().equals("lost"))
                    .singleElement()
                    .satisfies(lost -> {
                        assertThat(lost.client()).hasToString("shop on web-1 (pid 7)");
                        assertThat(lost.reason()).isEqualTo("forced");
                    });
            assertThat(shop.monitor().history("orders:another key")).isEqualTo(all);
            assertThat(shop.monitor().history("others")).isEmpty();
            assertThat(String.valueOf(server.command("LRANGE", HISTORY, "0", "-1")))
                    .doesNotContain("user-data");
            assertThat((long) server.command("PTTL", HISTORY))
                    .isBetween(1L, Duration.ofDays(7).toMillis());
            waiting.join().release();
        }
    }

    @Test
    void aLockThatIsFreeOrTriedOnceLeavesNoHistory() {
        try (LockClient shop = client("shop")) {
            LockHandle lock = shop.acquire(WANTED);
            long before = System.nanoTime();
            assertThat(shop.tryAcquire(WANTED)).isEmpty();
            boolean slow = System.nanoTime() - before >= WAIT.toNanos();
            lock.release();
            shop.acquire(WANTED).release();
            LockHandle last = shop.acquire(WANTED);
            shop.monitor().forceRelease("orders:user-data-42");
            await().untilAsserted(() -> assertThat(history(shop))
                    .extracting(Incident::what)
                    .filteredOn(what -> !slow || !what.equals("refused"))
                    .containsExactlyInAnyOrder("forced", "lost"));
            assertThat(last.isHeld()).isFalse();
        }
    }

    @Test
    void aFloodOfIncidentsIsWrittenInPartAndCounted() {
        try (LockClient shop = client("shop")) {
            for (int i = 0; i < 200; i++) {
                LockHandle lost = shop.acquire(WANTED);
                shop.monitor().forceRelease("orders:user-data-42");
                assertThat(lost.isHeld()).isFalse();
            }
            await().until(() -> !history(shop).isEmpty());
            await().pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                LockHandle lost = shop.acquire(WANTED);
                shop.monitor().forceRelease("orders:user-data-42");
                assertThat(lost.isHeld()).isFalse();
                assertThat(history(shop))
                        .anySatisfy(one -> assertThat(one.leftOut()).isPositive());
            });
            assertThat(history(shop)).hasSizeLessThanOrEqualTo(50);
        }
    }

    @Test
    void theListIsBounded() {
        for (int i = 0; i < 300; i++) {
            server.command("LPUSH", HISTORY, "at=2026-03-01T08:00:00Z what=lost millis=" + i);
        }
        try (LockClient shop = client("shop")) {
            LockHandle held = shop.acquire(WANTED);
            refusedAfterAWait(shop);
            await().until(() -> (long) server.command("LLEN", HISTORY) <= 50);
            assertThat(history(shop))
                    .hasSize(50)
                    .first()
                    .extracting(Incident::what)
                    .isEqualTo("refused");
            held.release();
        }
    }

    @Test
    void aClientThatSaysNothingAboutItselfWritesNothing() {
        try (LockClient silent = opened(builder(""));
                LockClient shop = client("shop")) {
            LockHandle held = silent.acquire(WANTED);
            refusedAfterAWait(silent);
            refusedAfterAWait(shop);
            await().until(() -> !history(silent).isEmpty());
            assertThat(history(silent))
                    .singleElement()
                    .satisfies(one -> assertThat(one.client()).hasToString("shop on web-1 (pid 7)"));
            held.release();
        }
    }

    @Test
    void withoutTheRightsThereIsNoHistoryAndTheServerIsAskedOnce() {
        server.command(
                "ACL", "SETUSER", "narrow", "on", ">secret", "allkeys", "allchannels", "+@all", "-ltrim", "-lrange");
        try (LockClient narrow =
                opened(builder("narrow:secret@").identity(new ClientIdentity("shop", null, null, null, null)))) {
            LockHandle held = narrow.acquire(WANTED);
            refusedAfterAWait(narrow);
            await().until(() -> String.valueOf(server.command("ACL", "LOG")).contains("ltrim"));
            server.command("ACL", "LOG", "RESET");
            refusedAfterAWait(narrow);
            assertThat(history(narrow)).isEmpty();
            assertThat(String.valueOf(server.command("ACL", "LOG"))).doesNotContain("ltrim");
            assertThat(server.command("EXISTS", HISTORY)).isEqualTo(0L);
            held.release();
        }
    }
}
