package io.distributedlock.testkit.history;

/**
 * One thing that happened to one call for one key.
 *
 * @param kind what happened
 * @param key the lock's key
 * @param client who did it, unique in the history: {@code process} or {@code process/thread}
 * @param hold the call for the lock and all that came of it, unique in the history
 * @param nanos when: {@link System#nanoTime()}, which is one clock for all processes of a host
 * @param value a number whose meaning depends on the kind, else 0
 * @param owner the {@linkplain OwnerHash hash} of the random value that stands for this client in Redis; empty if none
 * @param detail text that depends on the kind, else empty
 */
public record Event(
        EventKind kind, String key, String client, String hold, long nanos, long value, String owner, String detail) {

    /** Checks that the owner is a hash: a whole owner value would be a key to another client's lock. */
    public Event {
        OwnerHash.require(owner);
    }

    /** The process part of the client. */
    public String process() {
        return processOf(client);
    }

    public static String processOf(String client) {
        int slash = client.indexOf('/');
        return slash < 0 ? client : client.substring(0, slash);
    }
}
