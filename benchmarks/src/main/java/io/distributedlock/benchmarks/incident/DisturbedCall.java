package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import io.distributedlock.benchmarks.contender.Locks;
import io.distributedlock.benchmarks.incident.RunResult.Again;
import io.distributedlock.benchmarks.incident.RunResult.CallOutcome;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A case in which the link dies at one call of a living client, and comes back. */
final class DisturbedCall {

    private final RunSetup setup;
    private final FaultCase faultCase;
    private final Locks first;

    private DisturbedCall(RunSetup setup, Locks first) {
        this.setup = setup;
        this.faultCase = setup.faultCase();
        this.first = first;
    }

    static RunResult run(RunSetup setup) {
        try (Locks first = setup.open(setup.link().port())) {
            return new DisturbedCall(setup, first).run();
        }
    }

    private RunResult run() {
        Optional<String> holder = faultCase.isRelease() ? Optional.of(holdUntilRenewed()) : Optional.empty();
        CompletableFuture<Void> dead = setup.link().dieAt(setup.redisKey(), faultCase.lost());
        CompletableFuture<String> owner = holder.map(CompletableFuture::completedFuture)
                .orElseGet(() ->
                        dead.thenApplyAsync(nothing -> setup.probe().awaitOwner(setup.redisKey()), setup.background()));
        CompletableFuture<Recovery> aftermath =
                dead.thenCombineAsync(owner, (nothing, own) -> comeBack(own), after(faultCase.outage()));
        CallOutcome outcome = call();
        boolean untrue = isUntrue(outcome.answer(), owner.join());
        if (outcome.answer().claim() == Claim.GRANTED) {
            outcome = outcome.andThen(first.release(setup.key()));
        }
        OrphanLifetime lifetime = aftermath.join().lifetime();
        Optional<Duration> next = aftermath.join().next();
        boolean neverFreed = outcome.answer().claim() == Claim.RELEASED && !lifetime.gone();
        Again again = lifetime.gone() ? Again.NOT_TRIED : tryAgain();
        return new RunResult(Optional.of(outcome), untrue || neverFreed, lifetime, next, again);
    }

    private String holdUntilRenewed() {
        Calls.acquireFree(first, setup.key());
        return setup.probe().awaitRenewal(setup.redisKey());
    }

    private Executor after(Duration delay) {
        return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, setup.background());
    }

    /** Time is counted from just before the link comes back. */
    private Recovery comeBack(String owner) {
        Recovery aftermath = Recovery.of(setup, owner);
        setup.link().comeBack(faultCase.cut());
        return aftermath;
    }

    private CallOutcome call() {
        long begin = System.nanoTime();
        Answer answer = faultCase.isRelease() ? first.release(setup.key()) : first.acquire(setup.key(), Calls.WAIT);
        return new CallOutcome(answer, Duration.ofNanos(System.nanoTime() - begin));
    }

    /** No other client wants the lock before the link is back, and a lease is longer than the link is dead. */
    private boolean isUntrue(Answer answer, String owner) {
        boolean isOwn = owner.equals(setup.holder().owner());
        return switch (answer.claim()) {
            case GRANTED -> !isOwn;
            case HELD_BY_OTHER -> isOwn;
            case LOST -> isOwn || faultCase.lost() == Direction.REPLIES;
            case RELEASED, NONE -> false;
        };
    }

    private Again tryAgain() {
        Answer answer = first.acquire(setup.key(), Duration.ZERO);
        if (answer.claim() != Claim.GRANTED) {
            return Again.REFUSED;
        }
        Answer released = first.release(setup.key());
        boolean free = released.claim() == Claim.RELEASED && setup.holder().owner() == null;
        return free ? Again.GRANTED : Again.GRANTED_FOR_EVER;
    }
}
