package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import io.distributedlock.benchmarks.contender.Locks;
import io.distributedlock.benchmarks.incident.Sighting.Again;
import io.distributedlock.benchmarks.incident.Sighting.Told;
import io.distributedlock.testkit.Direction;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A scene in which the line dies at one call of a living client, and comes back. */
final class DisturbedCall {

    private final Stage stage;
    private final Scene scene;
    private final Locks first;

    private DisturbedCall(Stage stage, Locks first) {
        this.stage = stage;
        this.scene = stage.scene();
        this.first = first;
    }

    static Sighting play(Stage stage) {
        try (Locks first = stage.open(stage.line().port())) {
            return new DisturbedCall(stage, first).play();
        }
    }

    private Sighting play() {
        Optional<String> holder = scene.isRelease() ? Optional.of(holdUntilRenewed()) : Optional.empty();
        CompletableFuture<Void> dead = stage.line().dieAt(stage.redisKey(), scene.lost());
        CompletableFuture<String> owner = holder.map(CompletableFuture::completedFuture)
                .orElseGet(() -> dead.thenApplyAsync(
                        nothing -> stage.oracle().awaitOwner(stage.redisKey()), stage.background()));
        CompletableFuture<Aftermath> aftermath =
                dead.thenCombineAsync(owner, (nothing, own) -> comeBack(own), after(scene.outage()));
        Told told = call();
        boolean untrue = isUntrue(told.answer(), owner.join());
        if (told.answer().claim() == Claim.GRANTED) {
            told = told.andThen(first.release(stage.key()));
        }
        Stay stay = aftermath.join().stay();
        Optional<Duration> next = aftermath.join().next();
        boolean neverFreed = told.answer().claim() == Claim.RELEASED && !stay.gone();
        Again again = stay.gone() ? Again.NOT_TRIED : tryAgain();
        return new Sighting(Optional.of(told), untrue || neverFreed, stay, next, again);
    }

    private String holdUntilRenewed() {
        Calls.acquireFree(first, stage.key());
        return stage.oracle().awaitRenewal(stage.redisKey());
    }

    private Executor after(Duration delay) {
        return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, stage.background());
    }

    /** Time is counted from just before the line comes back. */
    private Aftermath comeBack(String owner) {
        Aftermath aftermath = Aftermath.of(stage, owner);
        stage.line().comeBack(scene.cut());
        return aftermath;
    }

    private Told call() {
        long begin = System.nanoTime();
        Answer answer = scene.isRelease() ? first.release(stage.key()) : first.acquire(stage.key(), Calls.WAIT);
        return new Told(answer, Duration.ofNanos(System.nanoTime() - begin));
    }

    /** Nobody else wants the lock before the line is back, and a lease is longer than the line is dead. */
    private boolean isUntrue(Answer answer, String owner) {
        boolean isOwn = owner.equals(stage.holder().owner());
        return switch (answer.claim()) {
            case GRANTED -> !isOwn;
            case HELD_BY_OTHER -> isOwn;
            case LOST -> isOwn || scene.lost() == Direction.REPLIES;
            case RELEASED, NONE -> false;
        };
    }

    private Again tryAgain() {
        Answer answer = first.acquire(stage.key(), Duration.ZERO);
        if (answer.claim() != Claim.GRANTED) {
            return Again.REFUSED;
        }
        Answer released = first.release(stage.key());
        boolean free = released.claim() == Claim.RELEASED && stage.holder().owner() == null;
        return free ? Again.GRANTED : Again.GRANTED_FOR_EVER;
    }
}
