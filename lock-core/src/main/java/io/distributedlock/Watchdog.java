package io.distributedlock;

import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Watches over every lock that is held: renews those without an explicit ttl, and tells each holder before its lease ends. */
final class Watchdog {

    private final Map<HeldLock, Watch> watches = new ConcurrentHashMap<>();
    private final LockStore store;
    private final Timeline time;
    private final StoreCalls calls;
    private final Notifier notifier;

    Watchdog(LockStore store, Timeline time, StoreCalls calls, Notifier notifier) {
        this.store = store;
        this.time = time;
        this.calls = calls;
        this.notifier = notifier;
        store.onReachable(() -> time.after(Duration.ZERO, () -> watches.values().forEach(Watch::revalidate)));
    }

    void watch(HeldLock lock) {
        Watch watch = new Watch(lock, store, time, calls, notifier);
        watches.put(lock, watch);
        watch.start();
    }

    /** Ends renewal. It has to be called before a release is sent, so that no renewal follows it. */
    void forget(HeldLock lock) {
        Watch watch = watches.remove(lock);
        if (watch != null) {
            watch.end();
        }
    }

    Collection<HeldLock> held() {
        return List.copyOf(watches.keySet());
    }
}
