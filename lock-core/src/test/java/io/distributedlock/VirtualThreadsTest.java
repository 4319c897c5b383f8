package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Needs a JVM that has virtual threads. */
@Timeout(120)
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {

    private static final int THREADS = 10_000;
    private static final int KEYS = 100;

    private final Queue<RecordedEvent> pinned = new ConcurrentLinkedQueue<>();
    private final AtomicInteger[] inside = new AtomicInteger[KEYS];
    private final AtomicInteger overlaps = new AtomicInteger();

    @Test
    void tenThousandVirtualThreadsShareAHundredLocksAndPinNoCarrier() throws Exception {
        for (int key = 0; key < KEYS; key++) {
            inside[key] = new AtomicInteger();
        }
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                        .build();
                RecordingStream recording = new RecordingStream()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO);
            recording.onEvent("jdk.VirtualThreadPinned", pinned::add);
            client.acquire("connected").release();
            recording.startAsync();
            lockFromAll(client);
            recording.close();
        }
        assertThat(overlaps).hasValue(0);
        assertThat(pinned).noneMatch(VirtualThreadsTest::isOurs);
    }

    private void lockFromAll(LockClient client) throws Exception {
        List<Future<?>> ends = new ArrayList<>();
        ExecutorService threads = virtualThreads();
        for (int i = 0; i < THREADS; i++) {
            int key = i % KEYS;
            LockRequest request = LockRequest.of("key-" + key).withWaitTime(Duration.ofMinutes(1));
            ends.add(threads.submit(() -> {
                LockHandle lock = client.acquire(request);
                overlaps.addAndGet(inside[key].getAndIncrement());
                inside[key].decrementAndGet();
                lock.release();
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        threads.shutdown();
    }

    /** By name, because this test is compiled for a Java that has none. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private static boolean isOurs(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        return stack != null
                && stack.getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("io.distributedlock."));
    }
}
