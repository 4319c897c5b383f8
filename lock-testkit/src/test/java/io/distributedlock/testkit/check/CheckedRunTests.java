package io.distributedlock.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.history.MutualExclusionWord;
import io.distributedlock.testkit.history.OwnerHash;
import io.distributedlock.testkit.history.OwnerPoller;
import io.distributedlock.testkit.history.RecordedCall;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records what small locks on a real server do, and looks at what the checker makes of it. */
class CheckedRunTests {
    private static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    private static final String FOR_LONG = "60000";

    private final Recorder recorder = new Recorder(1_000_000);
    private RedisServer server;
    private OwnerPoller poller;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        poller = OwnerPoller.start(recorder, Map.of("k", "lock:k"), Duration.ofMillis(1), server::port);
    }

    @AfterEach
    void close() {
        poller.close();
        server.close();
    }

    @Test
    void aSoundLockUnderContentionHasNoViolations() {
        MutualExclusionWord word = MutualExclusionWord.open(folder.resolve("word"), 1);
        AtomicLong granted = new AtomicLong();
        CompletableFuture<?>[] clients = IntStream.rangeClosed(1, 4)
                .mapToObj(id -> CompletableFuture.runAsync(() -> contend(id, word, granted)))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(clients).join();

        assertThat(granted).hasPositiveValue();
        assertThat(word.overlaps()).isZero();
        assertThat(HistoryChecker.check(recorder.history(), Limits.forLease(Duration.ofSeconds(60))))
                .isEmpty();
    }

    @Test
    void anOrphanLeftInRedisIsCaught() {
        RecordedCall call = RecordedCall.invoke(recorder, "p1", "k", Duration.ZERO);
        String owner = UUID.randomUUID().toString();
        server.command("SET", "lock:k", owner, "NX", "PX", FOR_LONG);
        call.unknown(OwnerHash.of(owner));

        await().untilAsserted(() -> assertThat(breaches()).containsExactly("I3"));
    }

    @Test
    void aReleaseWithoutComparisonIsCaught() {
        RecordedCall first = acquired("p1", "one");
        first.lost("DEADLINE");
        server.command("DEL", "lock:k");
        RecordedCall second = acquired("p2", "two");
        awaitSample();
        server.command("DEL", "lock:k");
        awaitSample();
        RecordedCall third = acquired("p3", "three");
        awaitSample();
        second.releaseInvoked();
        second.released();
        third.releaseInvoked();
        third.released();
        server.command("DEL", "lock:k");

        assertThat(breaches()).containsExactly("I1", "I9");
    }

    @Test
    void aRefusalByOnesOwnOwnerIsCaught() {
        server.command("SET", "lock:k", "mine", "NX", "PX", FOR_LONG);
        RecordedCall call = RecordedCall.invoke(recorder, "p1", "k", Duration.ofMinutes(1));
        awaitSample();
        server.command("DEL", "lock:k");
        call.heldByOther(OwnerHash.of("mine"));

        assertThat(breaches()).containsExactly("I4");
    }

    private void contend(int id, MutualExclusionWord word, AtomicLong tokens) {
        try (RespClient client = RespClient.connect(server.port(), Duration.ofSeconds(30))) {
            for (int i = 0; i < 300; i++) {
                RecordedCall call = RecordedCall.invoke(recorder, "p1/t" + id, "k", Duration.ZERO);
                String owner = UUID.randomUUID().toString();
                if (client.command("SET", "lock:k", owner, "NX", "PX", FOR_LONG) == null) {
                    call.heldByOther(OwnerHash.of(owner));
                    continue;
                }
                call.granted(tokens.incrementAndGet(), OwnerHash.of(owner));
                word.enter(0, id).ifPresent(other -> call.overlap("t" + other));
                word.exit(0, id);
                call.releaseInvoked();
                client.command("EVAL", RELEASE, "1", "lock:k", owner);
                call.released();
            }
        }
    }

    private RecordedCall acquired(String client, String owner) {
        RecordedCall call = RecordedCall.invoke(recorder, client, "k", Duration.ZERO);
        assertThat(server.command("SET", "lock:k", owner, "NX", "PX", FOR_LONG)).isEqualTo("OK");
        call.granted(0, OwnerHash.of(owner));
        awaitSample();
        return call;
    }

    /** Waits for a round over all keys that began after this. */
    private void awaitSample() {
        long before = poller.rounds();
        await().until(() -> poller.rounds() > before + 1);
    }

    private List<String> breaches() {
        return HistoryChecker.check(recorder.history(), Limits.forLease(Duration.ofSeconds(60))).stream()
                .map(violation -> violation.invariant().split(" ")[0])
                .toList();
    }
}
