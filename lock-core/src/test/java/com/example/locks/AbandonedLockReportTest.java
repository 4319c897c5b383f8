package com.example.locks;

import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log says of locks that are never released, as an application sees it: a class outside of the library. */
class AbandonedLockReportTest {

    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Logger root = Logger.getLogger("");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            messages.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final LockClient client = LockClient.builder(new InMemoryLockStore())
            .ttl(Duration.ofSeconds(1))
            .commandTimeout(Duration.ofMillis(300))
            .build();

    @BeforeEach
    void listen() {
        root.addHandler(handler);
    }

    @AfterEach
    void close() {
        root.removeHandler(handler);
        client.close();
    }

    @Test
    void aReportNamesThePlaceInTheApplicationAndNoneOfTheLibrary() {
        abandon(() -> client.asLock(LockRequest.of("first")).lock());
        await().until(() -> isReported("first'", "remembered from now on"));
        abandon(() -> client.asLock(LockRequest.of("second")).lock());
        await().until(() -> isReported("second'", "acquired at " + getClass().getName()));
    }

    /** The thread that holds the lock ends. */
    private static void abandon(Runnable acquiring) {
        new Thread(acquiring).start();
    }

    private boolean isReported(String... parts) {
        return messages.stream().anyMatch(message -> List.of(parts).stream().allMatch(message::contains));
    }
}
