package io.distributedlock.testkit.history;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One call for a lock and what came of it, each step recorded with the time of the method's call. */
public final class RecordedCall {
    private static final AtomicLong CALLS = new AtomicLong();

    private final EventSink sink;
    private final String key;
    private final String client;
    private final String hold;
    private volatile long grantedAt;

    private RecordedCall(EventSink sink, String key, String client) {
        this.sink = sink;
        this.key = key;
        this.client = client;
        this.hold = client + "#" + CALLS.incrementAndGet();
    }

    /** Records that {@code client} is about to ask for the lock. */
    public static RecordedCall invoke(EventSink sink, String client, String key, Duration waitTime) {
        return invoke(sink, client, key, waitTime, CallTerms.EXCLUSIVE);
    }

    /** Records that {@code client} is about to ask for the lock on these terms. */
    public static RecordedCall invoke(EventSink sink, String client, String key, Duration waitTime, CallTerms terms) {
        RecordedCall call = new RecordedCall(sink, key, client);
        call.record(EventKind.INVOKE, waitTime.toMillis(), "", terms.text());
        return call;
    }

    /** The name of this call in the history. */
    public String hold() {
        return hold;
    }

    /** The call returned with the lock; {@code token} is 0 if there is no fencing token. */
    public void granted(long token, String ownerHash) {
        grantedAt = record(EventKind.GRANTED, token, ownerHash, "");
    }

    /** When the call returned with the lock, in the time of {@link System#nanoTime()}; only afterwards. */
    public long grantedAt() {
        return grantedAt;
    }

    /** The call returned without the lock; the owner is the one that it used, empty if it sent nothing. */
    public void heldByOther(String ownerHash) {
        record(EventKind.HELD_BY_OTHER, 0, ownerHash, "");
    }

    /** The call returned with another lock, and did not ask for this one. */
    public void notAsked() {
        record(EventKind.NOT_ASKED, 0, "", "");
    }

    /** The call failed with an outcome that could not be found out. */
    public void unknown(String ownerHash) {
        record(EventKind.UNKNOWN, 0, ownerHash, "");
    }

    /** The call failed, and nothing was written. */
    public void unavailable(String ownerHash) {
        record(EventKind.UNAVAILABLE, 0, ownerHash, "");
    }

    /** The call was interrupted. */
    public void interrupted(String ownerHash) {
        record(EventKind.INTERRUPTED, 0, ownerHash, "");
    }

    /** The guarded work begins. */
    public void enter() {
        record(EventKind.ENTER, 0, "", "");
    }

    /** The guarded work found another call inside. */
    public void overlap(String whom) {
        record(EventKind.OVERLAP, 0, "", whom);
    }

    /** The guarded resource accepted a write with this fencing token; to be called in the resource's own order. */
    public void accepted(long token) {
        record(EventKind.ACCEPTED, token, "", "");
    }

    /** The guarded work ends. */
    public void exit() {
        record(EventKind.EXIT, 0, "", "");
    }

    /** The lock is about to be released. */
    public void releaseInvoked() {
        record(EventKind.RELEASE_INVOKED, 0, "", "");
    }

    /** The release returned. */
    public void released() {
        record(EventKind.RELEASED, 0, "", "");
    }

    /** The holder was told that the lock is lost. */
    public void lost(String reason) {
        record(EventKind.LOST, 0, "", reason);
    }

    /** The release returned and told that the lock had been lost. */
    public void releaseReportedLost(String reason) {
        record(EventKind.RELEASE_REPORTED_LOST, 0, "", reason);
    }

    private long record(EventKind kind, long value, String owner, String detail) {
        long now = System.nanoTime();
        sink.record(new Event(kind, key, client, hold, now, value, owner, detail));
        return now;
    }
}
