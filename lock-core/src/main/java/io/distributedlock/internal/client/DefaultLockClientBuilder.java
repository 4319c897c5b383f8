package io.distributedlock.internal.client;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockListener;
import io.distributedlock.LockOptions;
import io.distributedlock.LockPolicy;
import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.acquire.LocalQueueSettings;
import io.distributedlock.internal.acquire.WaitStrategy;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.event.EventDispatcher;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.policy.LastRequestedTtls;
import io.distributedlock.internal.policy.LockDefaults;
import io.distributedlock.internal.policy.LockPolicies;
import io.distributedlock.internal.policy.LongestActiveHolds;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SystemScheduler;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Beside the settings of the interface, those that only tests need: the time, the wait strategy and the threads of
 * signals.
 */
public final class DefaultLockClientBuilder implements LockClientBuilder {

    static final Duration DEFAULT_WAIT_TIME = Duration.ofSeconds(5);
    static final Duration DEFAULT_TTL = Duration.ofSeconds(30);
    static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration MAX_STOP_MARGIN = Duration.ofHours(1);
    public static final Duration DEFAULT_LONG_HOLD_WARNING = Duration.ofMinutes(5);

    private final LockStore store;
    private final List<LockListener> listeners = new ArrayList<>();
    private Duration waitTime = DEFAULT_WAIT_TIME;
    private Duration ttl = DEFAULT_TTL;
    private @Nullable Duration commandTimeout;
    private Duration longHoldWarning = DEFAULT_LONG_HOLD_WARNING;
    private boolean barging = true;
    private ReleaseMode releases = ReleaseMode.CONFIRMED;
    private int maxWaitersPerLock = 10_000;
    private int maxWaiters = 50_000;
    private final Map<String, LockPolicy> policies = new LinkedHashMap<>();
    private @Nullable Duration maxHold;
    private Duration stopMargin = Duration.ZERO;
    private @Nullable ClientIdentity identity;
    private @Nullable Executor executor;
    private @Nullable Executor signals;
    private @Nullable Scheduler timeline;
    private @Nullable WaitStrategy waiting;

    public DefaultLockClientBuilder(LockStore store) {
        this.store = store;
    }

    @Override
    public DefaultLockClientBuilder waitTime(Duration waitTime) {
        this.waitTime = LockOptions.requireWaitTime(waitTime);
        return this;
    }

    @Override
    public DefaultLockClientBuilder ttl(Duration ttl) {
        this.ttl = LockOptions.requireTtl(ttl);
        return this;
    }

    @Override
    public DefaultLockClientBuilder maxHold(Duration maxHold) {
        this.maxHold = LockOptions.requireMaxHold(maxHold);
        return this;
    }

    @Override
    public DefaultLockClientBuilder stopMargin(Duration stopMargin) {
        if (stopMargin.isNegative() || stopMargin.compareTo(MAX_STOP_MARGIN) > 0) {
            throw new IllegalArgumentException("A stop margin must be from 0 to 1h, but is " + stopMargin);
        }
        this.stopMargin = stopMargin;
        return this;
    }

    @Override
    public DefaultLockClientBuilder longHoldWarning(Duration longHoldWarning) {
        if (longHoldWarning.isNegative() || longHoldWarning.isZero()) {
            throw new IllegalArgumentException("The long-hold warning must be above 0, but is " + longHoldWarning);
        }
        this.longHoldWarning = longHoldWarning;
        return this;
    }

    @Override
    public DefaultLockClientBuilder commandTimeout(Duration commandTimeout) {
        if (commandTimeout.compareTo(Duration.ofMillis(10)) < 0) {
            throw new IllegalArgumentException("The command timeout must be at least 10ms, but is " + commandTimeout);
        }
        this.commandTimeout = commandTimeout;
        return this;
    }

    @Override
    public DefaultLockClientBuilder barging(boolean barging) {
        this.barging = barging;
        return this;
    }

    @Override
    public DefaultLockClientBuilder maxWaiters(int perLock, int inAll) {
        if (perLock < 1 || inAll < perLock) {
            throw new IllegalArgumentException(
                    "At least 1 call must be allowed to wait for a lock, and not fewer for all locks, but the limits"
                            + " are "
                            + perLock + " and " + inAll);
        }
        this.maxWaitersPerLock = perLock;
        this.maxWaiters = inAll;
        return this;
    }

    @Override
    public DefaultLockClientBuilder releases(ReleaseMode releases) {
        this.releases = releases;
        return this;
    }

    @Override
    public DefaultLockClientBuilder identity(ClientIdentity identity) {
        this.identity = identity;
        return this;
    }

    @Override
    public DefaultLockClientBuilder listener(LockListener listener) {
        listeners.add(listener);
        return this;
    }

    @Override
    public DefaultLockClientBuilder policy(String name, LockPolicy policy) {
        for (Map.Entry<String, LockPolicy> other : policies.entrySet()) {
            boolean same = other.getKey().equals(name);
            if (same || !Collections.disjoint(other.getValue().lockNames(), policy.lockNames())) {
                throw new IllegalArgumentException("The policies '" + other.getKey() + "' and '" + name + "' "
                        + (same ? "have the same name" : "count for the same lock name"));
            }
        }
        policies.put(name, policy);
        if (policy.ttl() instanceof LockListener listener && !listeners.contains(listener)) {
            listeners.add(listener);
        }
        return this;
    }

    @Override
    public DefaultLockClientBuilder executor(Executor executor) {
        this.executor = executor;
        return this;
    }

    public DefaultLockClientBuilder signals(Executor signals) {
        this.signals = signals;
        return this;
    }

    public DefaultLockClientBuilder timeline(Scheduler timeline) {
        this.timeline = timeline;
        return this;
    }

    public DefaultLockClientBuilder waiting(WaitStrategy waiting) {
        this.waiting = waiting;
        return this;
    }

    @Override
    public DefaultLockClient build() {
        Duration timeout = commandTimeout == null
                ? store.limits().commandTimeout().orElse(DEFAULT_COMMAND_TIMEOUT)
                : commandTimeout;
        LazyEngine engine = new LazyEngine(store, making());
        LockDefaults defaults = new LockDefaults(
                waitTime,
                new LeaseTerms(ttl, true, maxHold, Durations.min(timeout, Durations.part(ttl, 3)))
                        .withStopMargin(stopMargin),
                new LockPolicies(policies),
                new LongestActiveHolds(
                        () -> engine.get().watchdog().held(), () -> engine.get().time()),
                new LastRequestedTtls());
        return new DefaultLockClient(engine, defaults);
    }

    /** With the settings as they are now. */
    private Function<LockStore, Engine> making() {
        Scheduler clock = timeline;
        WaitStrategy strategy = waiting;
        Executor completions = executor;
        List<LockListener> notified = List.copyOf(listeners);
        EngineSettings settings = new EngineSettings(
                longHoldWarning, new LocalQueueSettings(barging, maxWaitersPerLock, maxWaiters), releases, identity);
        Executor losses = signals;
        return locks -> {
            Scheduler time = clock == null ? new SystemScheduler() : clock;
            Callbacks callbacks = new Callbacks(
                    completions == null ? Callbacks.completionThreads() : completions,
                    losses == null ? Callbacks.signalThreads() : losses,
                    time);
            return new Engine(
                    locks,
                    time,
                    strategy == null ? WaitStrategy.jitteredBackoff() : strategy,
                    callbacks,
                    new EventDispatcher(notified),
                    settings);
        };
    }
}
