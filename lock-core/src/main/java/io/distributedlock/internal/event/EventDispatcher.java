package io.distributedlock.internal.event;

import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import io.distributedlock.internal.support.Warnings;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Notifies listeners what happened, in order and away from the threads that do the locking. A listener that fails or
 * blocks harms no lock.
 */
public final class EventDispatcher {

    private static final int MAX_PENDING = 10_000;

    private final List<LockListener> listeners;
    private final ThreadPoolExecutor events;
    private final AtomicLong dropped = new AtomicLong();
    private Predicate<LockEvent> isNoted = event -> false;
    private LockListener notes = event -> {};

    public EventDispatcher(List<LockListener> listeners) {
        this(listeners, daemons("distributed-lock-events", 1, MAX_PENDING));
    }

    /** @param events one thread, whose queue is bounded */
    EventDispatcher(List<LockListener> listeners, ThreadPoolExecutor events) {
        this.listeners = List.copyOf(listeners);
        this.events = events;
    }

    /** Before the first event: some events are noted besides, whether or not there are listeners. */
    public void alsoNote(Predicate<LockEvent> which, LockListener where) {
        isNoted = which;
        notes = where;
    }

    public void tell(LockEvent event) {
        if (!listeners.isEmpty()) {
            run(() -> listeners.forEach(listener -> tell(listener, event)));
        }
        if (isNoted.test(event)) {
            run(() -> tell(notes, event));
        }
    }

    /**
     * Runs something that may take a while, such as writing a report, after the events before it. Never fails: no lock
     * depends on it.
     */
    public void run(Runnable task) {
        try {
            events.execute(task);
        } catch (RejectedExecutionException full) {
            if (dropped.getAndIncrement() == 0 && !events.isShutdown()) {
                Warnings.write(
                        EventDispatcher.class,
                        "A lock listener is too slow: more than " + MAX_PENDING
                                + " events wait, and further ones are dropped. Let it hand slow work to a thread"
                                + " of its own");
            }
        } catch (RuntimeException | Error noThread) {
            if (dropped.getAndIncrement() == 0) {
                Warnings.write(
                        EventDispatcher.class, "Lock listeners could not be notified; events are dropped", noThread);
            }
        }
    }

    private static void tell(LockListener listener, LockEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error failure) {
            Warnings.write(EventDispatcher.class, "A lock listener failed; locks are not affected", failure);
        }
    }

    /** How many events were dropped because listeners were too slow. */
    public long dropped() {
        return dropped.get();
    }

    public void close() {
        events.shutdown();
    }

    static ThreadPoolExecutor daemons(String name, int threads, int capacity) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(capacity), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
