package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spring.LockedJob;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A job that is scheduled on each server and runs on one of them. */
@Timeout(60)
class ScheduledJobTests {

    private final InMemoryLockStore store = new InMemoryLockStore();
    private final AtomicInteger runs = new AtomicInteger();

    @EnableScheduling
    static class Nightly {
        private final AtomicInteger runs;

        Nightly(AtomicInteger runs) {
            this.runs = runs;
        }

        @Scheduled(fixedRate = 5)
        @LockedJob(name = "nightly", minHold = "${min-hold}")
        public void run() {
            runs.incrementAndGet();
        }
    }

    /** Counts how often a server found that another one has the job. */
    static final class Skips implements LockListener {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void on(LockEvent event) {
            if (event instanceof LockEvent.NotAcquired) {
                count.incrementAndGet();
            }
        }
    }

    /** Keeps its locks when a server that uses it stops. */
    private record Lasting(LockStore store) implements LockStore {
        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            return store.acquire(claim, ttl, patience);
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            return store.extend(claim, token, ttl);
        }

        @Override
        public CompletionStage<Release> release(Claim claim) {
            return store.release(claim);
        }

        @Override
        public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
            return store.releaseAfter(claim, time);
        }

        @Override
        public void close() {}
    }

    private ApplicationContextRunner server(Skips skips, String minHold) {
        return Contexts.withMemory()
                .withBean("shared", LockStore.class, () -> new Lasting(store))
                .withBean("skips", LockListener.class, () -> skips)
                .withBean(Nightly.class, () -> new Nightly(runs))
                .withPropertyValues("min-hold=" + minHold);
    }

    @Test
    void aShortJobRunsOnceAlthoughTheServersStartItOneAfterTheOther() {
        Skips first = new Skips();
        Skips second = new Skips();
        server(first, "1h")
                .run(one -> server(second, "1h").run(two -> {
                    await().until(() -> first.count.get() > 5 && second.count.get() > 5);
                    assertThat(runs).hasValue(1);
                }));
        server(first, "1h").run(restarted -> {
            int before = first.count.get();
            await().until(() -> first.count.get() > before + 5);
            assertThat(runs).hasValue(1);
        });
    }

    @Test
    void afterTheMinHoldTheJobRunsAgain() {
        server(new Skips(), "60ms").run(context -> await().until(() -> runs.get() >= 3));
    }
}
