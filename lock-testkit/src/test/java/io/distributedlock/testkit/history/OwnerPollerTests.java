package io.distributedlock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnerPollerTests {
    private static final Duration PERIOD = Duration.ofMillis(1);

    @Test
    void eachKeyIsSampledWithItsOwnerAndItsRemainingTime() {
        Recorder recorder = new Recorder(1_000_000);
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "lock:a", "owner of a", "PX", "60000");
            server.command("SET", "lock:b", "owner of b");
            server.command("HSET", "lock:c", "not", "a string");
            Map<String, String> keys = Map.of("a", "lock:a", "b", "lock:b", "c", "lock:c", "d", "lock:d");
            try (OwnerPoller poller = OwnerPoller.start(recorder, keys, PERIOD, server::port)) {
                await().until(() -> poller.rounds() > 0);
            }
        }
        assertThat(first(recorder, "a").owner()).isEqualTo(OwnerHash.of("owner of a"));
        assertThat(first(recorder, "a").remaining()).isBetween(Duration.ofMillis(1), Duration.ofMinutes(1));
        assertThat(first(recorder, "a").begin()).isLessThan(first(recorder, "a").end());
        assertThat(first(recorder, "b").remaining()).isGreaterThan(Duration.ofDays(300));
        assertThat(recorder.history().samples()).extracting(OwnerSample::key).doesNotContain("c");
        assertThat(first(recorder, "d").owner()).isEmpty();
        assertThat(first(recorder, "d").remaining()).isZero();
    }

    @Test
    void aSharedLockIsSampledWithAllSharesThatHaveNotEnded() {
        Recorder recorder = new Recorder(1_000_000);
        long now = System.currentTimeMillis();
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "lock:a", "~shared 17", "PX", "60000");
            server.command("ZADD", "lock:a:r", String.valueOf(now + 60_000), "one", String.valueOf(now - 1), "ended");
            server.command("ZADD", "lock:a:r", String.valueOf(now + 30_000), "other");
            try (OwnerPoller poller = OwnerPoller.start(recorder, Map.of("a", "lock:a"), PERIOD, server::port)) {
                await().until(() -> poller.rounds() > 0);
            }
        }
        OwnerSample sample = first(recorder, "a");
        assertThat(sample.owner()).isEmpty();
        assertThat(sample.owners()).containsExactlyInAnyOrder(OwnerHash.of("one"), OwnerHash.of("other"));
        assertThat(sample.remaining(OwnerHash.of("one"))).isGreaterThan(sample.remaining(OwnerHash.of("other")));
        assertThat(sample.remaining(OwnerHash.of("other"))).isBetween(Duration.ZERO, Duration.ofSeconds(30));
    }

    @Test
    void samplingGoesOnAfterARestart() {
        Recorder recorder = new Recorder(1_000_000);
        try (RedisServer server = RedisServer.start();
                OwnerPoller poller = OwnerPoller.start(recorder, Map.of("a", "lock:a"), PERIOD, server::port)) {
            await().until(() -> poller.rounds() > 0);
            server.kill();
            server.restart();
            server.command("SET", "lock:a", "new", "PX", "60000");
            await().untilAsserted(() -> assertThat(recorder.history().samples())
                    .extracting(OwnerSample::owner)
                    .contains(OwnerHash.of("new")));
        }
    }

    @Test
    void aFullRecorderIsReportedAtTheEnd() {
        try (RedisServer server = RedisServer.start()) {
            Recorder recorder = new Recorder(1);
            OwnerPoller poller = OwnerPoller.start(recorder, Map.of("a", "a", "b", "b"), PERIOD, server::port);
            await().until(() -> !recorder.history().samples().isEmpty());
            assertThatThrownBy(poller::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage(
                            "the history is full with 1 entries; give the recorder more capacity or check it"
                                    + " in shorter rounds");
        }
    }

    private static OwnerSample first(Recorder recorder, String key) {
        List<OwnerSample> samples = recorder.history().samples();
        return samples.stream()
                .filter(sample -> sample.key().equals(key))
                .findFirst()
                .orElseThrow();
    }
}
