package io.distributedlock;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One call that a {@link ScriptedStore} received; the test decides when it is answered, and how. */
public final class ScriptedCall {

    public enum Verb {
        ACQUIRE,
        EXTEND,
        RELEASE,
        KEEP
    }

    private final CompletableFuture<Object> reply = new CompletableFuture<>();
    private final Verb verb;
    private final Claim claim;
    private final Duration ttl;
    private final long token;
    private final Duration patience;
    private final Duration sentAt;

    ScriptedCall(Verb verb, Claim claim, Duration ttl, Duration patience, long token, Duration sentAt) {
        this.verb = verb;
        this.claim = claim;
        this.ttl = ttl;
        this.patience = patience;
        this.token = token;
        this.sentAt = sentAt;
    }

    Verb verb() {
        return verb;
    }

    public Claim claim() {
        return claim;
    }

    public Duration ttl() {
        return ttl;
    }

    public long token() {
        return token;
    }

    public Duration patience() {
        return patience;
    }

    /** On the test's timeline, from its beginning. */
    public Duration sentAt() {
        return sentAt;
    }

    public boolean isAnswered() {
        return reply.isDone();
    }

    @SuppressWarnings("unchecked")
    <T> CompletionStage<T> reply() {
        return (CompletionStage<T>) reply;
    }

    public void grants(long token) {
        answers(new Granted(token, ttl, true));
    }

    /** This owner holds the lock already, by an earlier try. */
    public void grantsAgain(long token, Duration remaining) {
        answers(new Granted(token, remaining, false));
    }

    public void refuses(Duration leaseEndsIn) {
        refuses(leaseEndsIn, new CompletableFuture<>());
    }

    public void refuses(Duration leaseEndsIn, CompletionStage<Optional<Granted>> news) {
        answers(new Refused(leaseEndsIn, false, news));
    }

    /** The claim is in the store's queue now. */
    public CompletableFuture<Optional<Granted>> queues(Duration leaseEndsIn) {
        CompletableFuture<Optional<Granted>> news = new CompletableFuture<>();
        answers(new Refused(leaseEndsIn, true, news));
        return news;
    }

    private void answers(AcquireResult attempt) {
        require(Verb.ACQUIRE);
        reply.complete(attempt);
    }

    public void confirms() {
        confirms(ttl);
    }

    /** @param left what is left of the lease, from when the call was sent */
    public void confirms(Duration left) {
        require(Verb.EXTEND);
        reply.complete(left);
    }

    public void denies() {
        require(Verb.EXTEND);
        reply.complete(Duration.ZERO);
    }

    public void keeps() {
        require(Verb.KEEP);
        reply.complete(true);
    }

    public void keepsNothing() {
        require(Verb.KEEP);
        reply.complete(false);
    }

    public void frees() {
        releases(Release.of(true, true));
    }

    public void freesNothing() {
        releases(Release.of(false, true));
    }

    public void releases(Release release) {
        require(Verb.RELEASE);
        reply.complete(release);
    }

    public void fails(Effect effect) {
        fails(new StoreException(effect, "scripted", null));
    }

    public void fails(Throwable failure) {
        reply.completeExceptionally(failure);
    }

    private void require(Verb expected) {
        if (verb != expected) {
            throw new AssertionError("This call is " + this + " and has no such answer");
        }
    }

    @Override
    public String toString() {
        return verb + " at " + sentAt.toMillis() + " ms";
    }
}
