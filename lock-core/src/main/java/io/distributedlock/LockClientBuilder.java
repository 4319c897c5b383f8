package io.distributedlock;

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

/** Sets up a {@link LockClient}; every setting has a default. */
public final class LockClientBuilder {

    static final Duration DEFAULT_WAIT_TIME = Duration.ofSeconds(5);
    static final Duration DEFAULT_TTL = Duration.ofSeconds(30);
    static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(1);
    static final Duration DEFAULT_LONG_HOLD_WARNING = Duration.ofMinutes(5);

    private final LockStore store;
    private final List<LockListener> listeners = new ArrayList<>();
    private Duration waitTime = DEFAULT_WAIT_TIME;
    private Duration ttl = DEFAULT_TTL;
    private Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
    private Duration longHoldWarning = DEFAULT_LONG_HOLD_WARNING;
    private boolean barging = true;
    private ReleaseMode releases = ReleaseMode.CONFIRMED;
    private int maxWaitersPerLock = 10_000;
    private int maxWaiters = 50_000;
    private final Map<String, LockPolicy> policies = new LinkedHashMap<>();
    private @Nullable Duration maxHold;
    private @Nullable Executor executor;
    private @Nullable Timeline timeline;
    private @Nullable WaitStrategy waiting;

    LockClientBuilder(LockStore store) {
        this.store = store;
    }

    /** How long a call waits for a lock if its request doesn't say; 5 s unless set. Zero means one try. */
    public LockClientBuilder waitTime(Duration waitTime) {
        this.waitTime = LockOptions.requireWaitTime(waitTime);
        return this;
    }

    /** The lease of a lock without an explicit ttl, which is renewed every third of it; 30 s unless set. */
    public LockClientBuilder ttl(Duration ttl) {
        this.ttl = LockOptions.requireTtl(ttl);
        return this;
    }

    /** After which time a renewed lock is lost to a holder that has not released it; no limit unless set. A request can say otherwise. */
    public LockClientBuilder maxHold(Duration maxHold) {
        this.maxHold = LockOptions.requireMaxHold(maxHold);
        return this;
    }

    /** After which time a holder is reported, once, with its stack; 5 min unless set. A lock is checked when it is renewed, so it may be later by a third of the ttl. */
    public LockClientBuilder longHoldWarning(Duration longHoldWarning) {
        if (longHoldWarning.isNegative() || longHoldWarning.isZero()) {
            throw new IllegalArgumentException("The long-hold warning must be above 0, but is " + longHoldWarning);
        }
        this.longHoldWarning = longHoldWarning;
        return this;
    }

    /** How long the answer to one command is waited for at most; 1 s unless set. Short leases use a fifth of the lease if that is less. */
    public LockClientBuilder commandTimeout(Duration commandTimeout) {
        if (commandTimeout.compareTo(Duration.ofMillis(10)) < 0) {
            throw new IllegalArgumentException("The command timeout must be at least 10ms, but is " + commandTimeout);
        }
        this.commandTimeout = commandTimeout;
        return this;
    }

    /**
     * Whether a thread that runs may take a lock, which another thread of this process has just released, in front of a waiter that is being woken;
     * true unless set. At most {@value Line#MAX_BARGES} times in a row, and only for renewed locks. Off means strict order of arrival, at the price of
     * a thread switch for each turn.
     */
    public LockClientBuilder barging(boolean barging) {
        this.barging = barging;
        return this;
    }

    /**
     * How many calls may wait in this process, for one lock and for all locks together; 10,000 and 50,000 unless set. Further calls fail at once
     * with a {@link LockUnavailableException}.
     */
    public LockClientBuilder maxWaiters(int perLock, int inAll) {
        if (perLock < 1 || inAll < perLock) {
            throw new IllegalArgumentException(
                    "At least 1 call must be allowed to wait for a lock, and not fewer for all locks, but the limits are "
                            + perLock + " and " + inAll);
        }
        this.maxWaitersPerLock = perLock;
        this.maxWaiters = inAll;
        return this;
    }

    /** What {@link LockHandle#release()} and the end of a {@link LockTemplate} call wait for; {@link ReleaseMode#CONFIRMED} unless set. */
    public LockClientBuilder releases(ReleaseMode releases) {
        this.releases = releases;
        return this;
    }

    /** Adds somebody who is told what happens to locks. */
    public LockClientBuilder listener(LockListener listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * Adds a policy that requests can name, or that counts for locks by their names.
     *
     * @throws IllegalArgumentException if there is one of that name, or one for the same lock name
     */
    public LockClientBuilder policy(String name, LockPolicy policy) {
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

    /** Where callers' futures complete; two daemon threads of the client's own unless set. */
    public LockClientBuilder executor(Executor executor) {
        this.executor = executor;
        return this;
    }

    LockClientBuilder timeline(Timeline timeline) {
        this.timeline = timeline;
        return this;
    }

    LockClientBuilder waiting(WaitStrategy waiting) {
        this.waiting = waiting;
        return this;
    }

    /** @throws IllegalArgumentException if a command timeout is longer than a third of the ttl: a renewal would not fit into its lease */
    public LockClient build() {
        if (commandTimeout.multipliedBy(3).compareTo(ttl) > 0) {
            throw new IllegalArgumentException("The command timeout (" + commandTimeout.toMillis()
                    + " ms) must be at most a third of the ttl of renewed locks (" + ttl.toMillis()
                    + " ms), or one slow answer could cost the lock. Lower the command timeout or raise the ttl");
        }
        LazyEngine engine = new LazyEngine(store, making());
        LockDefaults defaults = new LockDefaults(
                waitTime,
                new Lease(ttl, true, maxHold, commandTimeout),
                new LockPolicies(policies),
                new RunningHolds(engine),
                new LatestTtls());
        return new LockClient(engine, defaults);
    }

    /** With the settings as they are now. */
    private Function<LockStore, Engine> making() {
        Timeline clock = timeline;
        WaitStrategy strategy = waiting;
        Executor completions = executor;
        List<LockListener> told = List.copyOf(listeners);
        EngineSettings settings = new EngineSettings(
                longHoldWarning, new LocalQueueSettings(barging, maxWaitersPerLock, maxWaiters), releases);
        return locks -> new Engine(
                locks,
                clock == null ? new SystemTimeline() : clock,
                strategy == null ? WaitStrategy.jitteredBackoff() : strategy,
                new Callbacks(completions == null ? Notifier.completions() : completions),
                new Notifier(told),
                settings);
    }
}
