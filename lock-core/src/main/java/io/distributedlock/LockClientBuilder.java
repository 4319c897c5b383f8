package io.distributedlock;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Sets up a {@link LockClient}; every setting has a default. */
public interface LockClientBuilder {

    /** How long a call waits for a lock if its request doesn't say; 5 s unless set. Zero means one try. */
    LockClientBuilder waitTime(Duration waitTime);

    /** The lease of a lock without an explicit ttl, which is renewed every third of it; 30 s unless set. */
    LockClientBuilder ttl(Duration ttl);

    /**
     * After which time a renewed lock is lost to a holder that has not released it; no limit unless set. A request can
     * say otherwise.
     */
    LockClientBuilder maxHold(Duration maxHold);

    /**
     * For how long a lock stays closed after its holder has lost it, so that work under it can end: at its deadline, at
     * the max-hold, by a forced release of this client, or at a close; and after the lease of a process that is gone.
     * From 0, the default, to 1 h. The client asks the store for leases that are longer by this; a released lock is
     * free at once.
     *
     * <p>It counts from the moment at which {@link LockHandle#isHeld()} turns false. It does not help if the store has
     * lost the lock, or if the process does not run for longer than its lease and the margin.
     */
    LockClientBuilder stopMargin(Duration stopMargin);

    /**
     * After which time a holder is reported, once, with its stack; 5 min unless set. A lock is checked when it is
     * renewed, so it may be later by a third of the ttl.
     */
    LockClientBuilder longHoldWarning(Duration longHoldWarning);

    /**
     * How long the answer to one command is waited for at most; unless set, as long as the connections of the store
     * wait, or 1 s if it has none. Never more than a third of the ttl of renewed locks, because one slow answer could
     * cost the lock. Short leases use a fifth of the lease if that is less, but 100 ms.
     */
    LockClientBuilder commandTimeout(Duration commandTimeout);

    /**
     * Whether a thread that runs may take a lock, which another thread of this process has just released, in front of a
     * waiter that is being woken; true unless set. At most 32 times in a row, and only for renewed locks. Off means
     * strict order of arrival, at the price of a thread switch for each turn.
     */
    LockClientBuilder barging(boolean barging);

    /**
     * How many calls may wait in this process, for one lock and for all locks together; 10,000 and 50,000 unless set.
     * Further calls fail with a {@link LockUnavailableException}: at once, or, if they want a share, as soon as the
     * store has refused it.
     */
    LockClientBuilder maxWaiters(int perLock, int inAll);

    /**
     * What {@link LockHandle#release()} and the end of a {@link LockTemplate} call wait for; {@link
     * ReleaseMode#CONFIRMED} unless set.
     */
    LockClientBuilder releases(ReleaseMode releases);

    /**
     * What this client says about itself in the store, so that others can say who holds a lock; it says nothing unless
     * set. It is one entry for each client, written again every few seconds, and none for a lock. A client that says
     * who it is also looks up who holds a lock that it was refused; the refusal comes up to
     * 50 ms later.
     */
    LockClientBuilder identity(ClientIdentity identity);

    /** Adds a listener to what happens to locks. */
    LockClientBuilder listener(LockListener listener);

    /**
     * Adds a policy that requests can name, or that counts for locks by their names.
     *
     * @throws IllegalArgumentException if there is one of that name, or one for the same lock name
     */
    LockClientBuilder policy(String name, LockPolicy policy);

    /**
     * Where callers' futures complete, and with them what callers attach; two daemon threads of the client's own unless
     * set. It may be busy for as long as it likes: no lock depends on it. An executor that runs tasks on the thread
     * that gives them to it, always or when it is full, makes callers' code run on threads of this client and its
     * store, which that code must not block then. {@link LockHandle#lost()} completes on other threads in any case.
     */
    LockClientBuilder executor(Executor executor);

    /**
     * @throws IllegalArgumentException if a command timeout is longer than a third of the ttl: a renewal would not fit
     * into its lease
     */
    LockClient build();
}
