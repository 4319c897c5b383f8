package io.distributedlock;

import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.BatchExtension;
import io.distributedlock.spi.BatchExtensionCallback;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that answers nothing by itself: it records each call, and the test answers when and how it likes. */
public class ScriptedStore implements LockStore, BatchExtension {

    private final List<ScriptedCall> calls = new CopyOnWriteArrayList<>();
    private final List<Runnable> hooks = new CopyOnWriteArrayList<>();
    private final Map<Verb, Consumer<ScriptedCall>> answers = new ConcurrentHashMap<>();
    private final ManualScheduler time;
    private volatile Supplier<CompletableFuture<?>> ready = () -> CompletableFuture.completedFuture(null);
    private volatile StoreLimits limits = StoreLimits.NONE;
    private Runnable onTheWay = () -> {};
    private int toldAsOne;
    private volatile Runnable preparation = () -> {};
    private volatile boolean closed;

    public ScriptedStore(ManualScheduler time) {
        this.time = time;
    }

    /** Answers each further call of this kind at once, before it returns. */
    public void always(Verb verb, Consumer<ScriptedCall> answer) {
        answers.put(verb, answer);
    }

    /** Leaves further calls of this kind to the test again. */
    public void never(Verb verb) {
        answers.remove(verb);
    }

    public void commandTimeout(Duration timeout) {
        limits = new StoreLimits(StoreLimits.NONE.modes(), Optional.empty(), Optional.of(timeout));
    }

    @Override
    public StoreLimits limits() {
        return limits;
    }

    /** What {@link #ready()} gives from now on. */
    public void readyWhen(CompletableFuture<?> ready) {
        this.ready = () -> ready;
    }

    /** What {@link #ready()} does from now on. */
    public void whenAskedToConnect(Supplier<CompletableFuture<?>> ready) {
        this.ready = ready;
    }

    /** What happens from now on when extensions are prepared. */
    public void whenAskedToPrepare(Runnable preparation) {
        this.preparation = preparation;
    }

    /** Tells that the store can be reached again. */
    public void isReachableAgain() {
        hooks.forEach(Runnable::run);
    }

    public List<ScriptedCall> calls() {
        return List.copyOf(calls);
    }

    public List<ScriptedCall> calls(Verb verb) {
        return calls.stream().filter(call -> call.verb() == verb).toList();
    }

    /** The verbs of all calls so far, in order. */
    public List<Verb> verbs() {
        return calls.stream().map(ScriptedCall::verb).toList();
    }

    /** The newest call, which has to be of this kind and without an answer. */
    public ScriptedCall last(Verb verb) {
        ScriptedCall last = calls.isEmpty() ? null : calls.get(calls.size() - 1);
        if (last == null || last.verb() != verb || last.isAnswered()) {
            throw new AssertionError("The last call should be an open " + verb + ", but the calls are " + calls);
        }
        return last;
    }

    /** What happens, once, while the news that all locks of a round are held is on its way. */
    public void meanwhile(Runnable event) {
        onTheWay = event;
    }

    /** How many rounds ended with one answer for all of their locks. */
    public int toldAsOne() {
        return toldAsOne;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return record(Verb.ACQUIRE, claim, ttl, patience, 0);
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return record(Verb.EXTEND, claim, ttl, Duration.ZERO, token);
    }

    @Override
    public PreparedBatchExtension prepareExtension(List<Claim> claims, long token, Duration ttl) {
        preparation.run();
        return answers -> {
            List<CompletionStage<Duration>> replies = claims.stream()
                    .map(claim -> attempt(() -> extend(claim, token, ttl)))
                    .toList();
            if (!areAllHeld(replies, ttl) || !tellAsOne(answers, claims.size())) {
                for (int i = 0; i < claims.size(); i++) {
                    int place = i;
                    replies.get(i).whenComplete((left, failure) -> answers.ended(place, left, failure));
                }
            }
        };
    }

    private boolean tellAsOne(BatchExtensionCallback answers, int count) {
        Runnable event = onTheWay;
        onTheWay = () -> {};
        event.run();
        boolean told = answers.allHeld(count);
        toldAsOne += told ? 1 : 0;
        return told;
    }

    private static CompletionStage<Duration> attempt(Supplier<CompletionStage<Duration>> call) {
        try {
            return call.get();
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** Whether all are held for the time that was asked for. */
    private static boolean areAllHeld(List<CompletionStage<Duration>> replies, Duration ttl) {
        return replies.stream()
                .map(CompletionStage::toCompletableFuture)
                .allMatch(reply -> reply.isDone()
                        && !reply.isCompletedExceptionally()
                        && reply.join().equals(ttl));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return record(Verb.RELEASE, claim, Duration.ZERO, Duration.ZERO, 0);
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return record(Verb.KEEP, claim, time, Duration.ZERO, 0);
    }

    private <T> CompletionStage<T> record(Verb verb, Claim claim, Duration ttl, Duration patience, long token) {
        ScriptedCall call = new ScriptedCall(verb, claim, ttl, patience, token, time.elapsed());
        calls.add(call);
        Consumer<ScriptedCall> answer = answers.get(verb);
        if (answer != null) {
            answer.accept(call);
        }
        return call.reply();
    }

    @Override
    public CompletionStage<?> ready() {
        return ready.get();
    }

    @Override
    public void onReachable(Runnable hook) {
        hooks.add(hook);
    }

    @Override
    public void close() {
        closed = true;
    }
}
