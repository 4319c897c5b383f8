package io.distributedlock.internal.store;

import io.distributedlock.ClientIdentity;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the line of one client in the roster of its store: from the client's first acquisition until it is stopped. A
 * failure changes nothing for locks; the next round writes the line again.
 */
public final class ClientPresence {

    /** How often the line is written. */
    static final Duration PERIOD = Duration.ofSeconds(5);
    /** The line outlasts its client, so that a lock with a long lease still names the process that left it. */
    static final Duration LIFE = Duration.ofHours(1);

    private final ReentrantLock guard = new ReentrantLock();
    private final @Nullable ClientRoster roster;
    private final @Nullable ClientIdentity identity;
    private final OwnerIds owners;
    private final Scheduler time;
    private volatile boolean begun;
    private @Nullable String client;
    private Scheduler.Timer next = Scheduler.Timer.NONE;

    /** @param identity null if the client says nothing about itself */
    public ClientPresence(LockStore store, @Nullable ClientIdentity identity, OwnerIds owners, Scheduler time) {
        this.roster = identity == null ? null : store.roster().orElse(null);
        this.identity = identity;
        this.owners = owners;
        this.time = time;
        if (roster != null) {
            store.onReachable(this::writeIfBegun);
        }
    }

    /** Whether this client takes part in the roster. */
    public boolean isPublished() {
        return roster != null;
    }

    public @Nullable ClientIdentity identity() {
        return identity;
    }

    /** An owner was made. */
    public void begin() {
        if (roster == null || begun) {
            return;
        }
        guard.lock();
        try {
            begun = true;
            next.cancel();
            next = time.after(Duration.ZERO, this::round);
        } finally {
            guard.unlock();
        }
    }

    private void round() {
        guard.lock();
        try {
            if (begun) {
                next = time.after(PERIOD, this::round);
            }
        } finally {
            guard.unlock();
        }
        writeIfBegun();
    }

    private void writeIfBegun() {
        ClientIdentity own = identity;
        ClientRoster kept = roster;
        String name = begun ? name() : null;
        if (own != null && kept != null && name != null) {
            String line = new RosterLine(own, owners.tick()).written();
            sent(() -> kept.publish(name, line, LIFE));
        }
    }

    /** It stays the same until the end, because locks may be held under it. */
    private @Nullable String name() {
        guard.lock();
        try {
            if (client == null) {
                client = owners.client();
            }
            return client;
        } finally {
            guard.unlock();
        }
    }

    /**
     * Nothing is held or waited for any more under the name that the client had. If it was started again meanwhile, it
     * goes on under the next one.
     */
    public void end() {
        String last;
        guard.lock();
        try {
            last = client;
            client = null;
            begun = owners.client() != null;
            if (!begun) {
                next.cancel();
            }
        } finally {
            guard.unlock();
        }
        ClientRoster kept = roster;
        if (kept != null && last != null) {
            sent(() -> kept.withdraw(last));
        }
    }

    private static void sent(Supplier<CompletionStage<?>> command) {
        try {
            command.get().exceptionally(failure -> null);
        } catch (RuntimeException notSent) {
            // The next round sends it again, and what can't be withdrawn expires.
        }
    }
}
