package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link Lock} demands, on whatever store. */
@Timeout(60)
abstract class ReentrantLockContract {

    private static final LockRequest WANTED = LockRequest.of("orders", "42").withTtl(Duration.ofSeconds(20));
    private static final long MOMENT_MILLIS = 50;

    private final ExecutorService others = Executors.newCachedThreadPool();
    private LockClient client;
    private Lock lock;

    abstract LockStore store();

    @BeforeEach
    void open() {
        client = LockClient.builder(store()).build();
        client.connect(Duration.ofMinutes(2));
        lock = client.asLock(WANTED);
    }

    @AfterEach
    void close() {
        others.shutdownNow();
        client.close();
    }

    private <T> Future<T> elsewhere(Callable<T> call) {
        return others.submit(call);
    }

    @Test
    void whatOneThreadHasLockedNoOtherGets() throws Exception {
        lock.lock();
        assertThat(elsewhere(lock::tryLock).get()).isFalse();
        assertThat(elsewhere(() -> lock.tryLock(MOMENT_MILLIS, TimeUnit.MILLISECONDS))
                        .get())
                .isFalse();
        lock.unlock();
        assertThat(elsewhere(lock::tryLock).get()).isTrue();
    }

    @Test
    void aThreadUnlocksAsOftenAsItHasLocked() throws Exception {
        Lock same = client.asLock(WANTED);
        lock.lock();
        assertThat(same.tryLock()).isTrue();
        assertThat(lock.tryLock(MOMENT_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        lock.unlock();
        lock.unlock();
        assertThat(elsewhere(lock::tryLock).get()).isFalse();
        same.unlock();
        assertThat(client.held()).isEmpty();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void noThreadUnlocksWhatAnotherHasLocked() throws Exception {
        lock.lock();
        assertThat(elsewhere(() -> catchThrowable(lock::unlock)).get())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("orders");
        assertThat(client.held()).hasSize(1);
        lock.unlock();
    }

    @Test
    void anInterruptEndsAWaitThatAllowsIt() throws Exception {
        lock.lock();
        assertThat(interrupted(() -> lock.lockInterruptibly())).isInstanceOf(InterruptedException.class);
        assertThat(interrupted(() -> lock.tryLock(1, TimeUnit.HOURS))).isInstanceOf(InterruptedException.class);
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    /** What a thread throws that waits for the lock and is interrupted. */
    private static Throwable interrupted(org.assertj.core.api.ThrowableAssert.ThrowingCallable wait)
            throws InterruptedException {
        List<Throwable> thrown = new ArrayList<>();
        Thread waiter = new Thread(() -> thrown.add(catchThrowable(wait)));
        waiter.start();
        waiter.interrupt();
        waiter.join();
        return thrown.get(0);
    }

    @Test
    void anInterruptDoesNotEndLockAndIsKept() throws Exception {
        lock.lock();
        List<Boolean> flags = new ArrayList<>();
        Thread waiter = new Thread(() -> {
            lock.lock();
            flags.add(Thread.currentThread().isInterrupted());
            lock.unlock();
        });
        waiter.start();
        waiter.interrupt();
        lock.unlock();
        waiter.join();
        assertThat(flags).containsExactly(true);
    }

    @Test
    void anInterruptBeforeTryLockIsKept() {
        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        lock.unlock();
    }

    @Test
    void manyThreadsThatCountUnderTheLockLoseNoCount() throws Exception {
        int threads = 8;
        int each = 50;
        int[] count = {0};
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(others.submit(() -> {
                for (int n = 0; n < each; n++) {
                    lock.lock();
                    try {
                        count[0]++;
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        for (Future<?> worker : workers) {
            worker.get();
        }
        assertThat(count[0]).isEqualTo(threads * each);
    }

    @Test
    void callsOfATemplateRunUnderIt() {
        LockTemplate template = new LockTemplate(client);
        lock.lock();
        long token = template.execute(WANTED, LockHandle::fencingToken);
        assertThat(client.held())
                .singleElement()
                .extracting(LockHandle::fencingToken)
                .isEqualTo(token);
        lock.unlock();
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void insideACallOfATemplateForTheSameLockItIsHeldAndUnlockingLeavesItToThatCall() {
        new LockTemplate(client).run(WANTED, held -> {
            assertThat(lock.tryLock()).isTrue();
            lock.lock();
            assertThat(client.asLock(WANTED.shared()).tryLock()).isTrue();
            client.asLock(WANTED.shared()).unlock();
            lock.unlock();
            lock.unlock();
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
            assertThat(held.isHeld()).isTrue();
        });
        assertThat(client.held()).isEmpty();
    }

    @Test
    void insideACallWhoseLockIsLostItIsNotHeld() {
        assertThatThrownBy(() -> new LockTemplate(client).run(WANTED, held -> {
                    client.drain(Duration.ofSeconds(10));
                    lock.lock();
                }))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void aShareThatWasLostIsInNoCallersWay() {
        Lock share = client.asLock(WANTED.shared());
        share.lock();
        assertThatThrownBy(lock::tryLock).isInstanceOf(IllegalStateException.class);
        client.drain(Duration.ofSeconds(10));
        assertThat(lock.tryLock()).isTrue();
        assertThatThrownBy(share::unlock).isInstanceOf(LockLostException.class);
        assertThat(client.held()).hasSize(1);
        lock.unlock();
        assertThat(client.held()).isEmpty();
    }

    @Test
    void aShareOfALockThatTheThreadHasAloneKeepsItAlone() throws Exception {
        Lock share = client.asLock(WANTED.shared());
        lock.lock();
        share.lock();
        lock.unlock();
        assertThat(elsewhere(share::tryLock).get()).isFalse();
        share.unlock();
        assertThat(client.held()).isEmpty();
    }

    @Test
    void aLockThatWasLostIsToldWhenItIsTakenAgainOrUnlocked() {
        lock.lock();
        client.drain(Duration.ofSeconds(10));
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void thereAreNoConditions() {
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
}
