package io.distributedlock.internal.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import io.distributedlock.LockMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventDispatcherTest {

    private final List<LockEvent> seen = new CopyOnWriteArrayList<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private EventDispatcher notifier;

    private void listeners(LockListener... listeners) {
        notifier = new EventDispatcher(List.of(listeners));
    }

    @AfterEach
    void close() {
        open.countDown();
        notifier.close();
    }

    private static LockEvent event(int number) {
        return new LockEvent.Acquired(
                "orders", String.valueOf(number), LockMode.EXCLUSIVE, number, Duration.ZERO, false);
    }

    private void block(LockEvent event) {
        try {
            open.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void everyListenerIsToldEveryEventInOrder() {
        List<LockEvent> other = new CopyOnWriteArrayList<>();
        listeners(seen::add, other::add);
        for (int i = 0; i < 1_000; i++) {
            notifier.tell(event(i));
        }
        await().until(() -> other.size() == 1_000);
        assertThat(seen).isEqualTo(other).element(999).isEqualTo(event(999));
        assertThat(seen).extracting(LockEvent::key).startsWith("0", "1", "2");
        assertThat(notifier.dropped()).isZero();
    }

    @Test
    void aListenerThatThrowsHarmsNeitherTheOthersNorLaterEvents() {
        AtomicInteger thrown = new AtomicInteger();
        listeners(
                event -> {
                    if (thrown.incrementAndGet() == 1) {
                        throw new IllegalStateException("first");
                    }
                    throw new StackOverflowError("not the first");
                },
                seen::add);
        notifier.tell(event(1));
        notifier.tell(event(2));
        notifier.tell(event(3));
        await().until(() -> seen.size() == 3);
        assertThat(thrown).hasValue(3);
    }

    @Test
    void aListenerThatBlocksDelaysNoCallerAndIsNotQueuedForWithoutLimit() {
        listeners(this::block, seen::add);
        for (int i = 0; i < 10_100; i++) {
            notifier.tell(event(i));
        }
        assertThat(seen).isEmpty();
        assertThat(notifier.dropped()).isBetween(99L, 100L);
        open.countDown();
        await().until(() -> seen.size() + notifier.dropped() == 10_100);
        notifier.tell(event(20_000));
        await().until(() -> seen.contains(event(20_000)));
    }

    /** As in a container that has reached its limit of threads. */
    @Test
    void whereNoThreadCanBeMadeAnEventIsDroppedAndNoOtherFails() {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        ThreadPoolExecutor events =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    if (exhausted.get()) {
                        throw new InternalError("unable to create native thread");
                    }
                    return new Thread(task);
                });
        notifier = new EventDispatcher(List.of(seen::add), events);
        notifier.tell(event(1));
        assertThat(notifier.dropped()).isEqualTo(1);
        exhausted.set(false);
        notifier.tell(event(2));
        await().until(() -> seen.equals(List.of(event(2))));
    }

    @Test
    void whatWasToldBeforeTheEndIsDelivered() {
        listeners(this::block, seen::add);
        notifier.tell(event(1));
        notifier.tell(event(2));
        notifier.close();
        open.countDown();
        await().until(() -> seen.size() == 2);
    }
}
