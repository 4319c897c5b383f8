package io.distributedlock.internal.lease;

import io.distributedlock.LockHandle;
import io.distributedlock.LockOptions;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The locks of several keys, as one: held as long as all of them are, lost with the first one that is lost. What is
 * left is kept until the release, because the work under it may still be going on.
 *
 * <p>Nothing of ours refers to it, only to its parts, so that they are collected with it if its user forgets it.
 */
public final class CompositeLockHandle implements LockHandle {

    /** How bad a state is for the whole. */
    private static final List<LockState> WORST_LAST =
            List.of(LockState.HELD, LockState.AT_RISK, LockState.RELEASED, LockState.LOST);

    private final List<SingleLockHandle> parts;

    private CompositeLockHandle(List<SingleLockHandle> parts) {
        this.parts = parts;
    }

    /** These locks as one, in the order of their ids; one alone is itself. */
    public static LockHandle of(Collection<SingleLockHandle> parts) {
        List<SingleLockHandle> sorted = parts.stream()
                .sorted(Comparator.comparing(part -> part.hold().id().encoded()))
                .toList();
        return sorted.size() == 1 ? sorted.get(0) : new CompositeLockHandle(sorted);
    }

    /** What this handle is made of. */
    public static List<SingleLockHandle> partsOf(LockHandle handle) {
        return handle instanceof CompositeLockHandle joint ? joint.parts : List.of((SingleLockHandle) handle);
    }

    @Override
    public List<LockHandle> parts() {
        return List.copyOf(parts);
    }

    @Override
    public String name() {
        return parts.get(0).name();
    }

    @Override
    public String key() {
        return parts.stream().map(LockHandle::key).collect(Collectors.joining(","));
    }

    @Override
    public long fencingToken() {
        throw new IllegalStateException(tokensOfParts());
    }

    @Override
    public CompletableFuture<Long> fencingTokenAsync() {
        throw new IllegalStateException(tokensOfParts());
    }

    private String tokensOfParts() {
        return "These are " + parts.size() + " locks of the name '" + name()
                + "', and each has a fencing token of its own. Ask parts() for the one of the key that is written to";
    }

    @Override
    public LockState state() {
        return parts.stream()
                .map(LockHandle::state)
                .max(Comparator.comparing(WORST_LAST::indexOf))
                .orElseThrow();
    }

    @Override
    public boolean isHeld() {
        return parts.stream().allMatch(LockHandle::isHeld);
    }

    @Override
    public Duration remaining() {
        return parts.stream()
                .map(LockHandle::remaining)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public void requireHeld() {
        parts.forEach(LockHandle::requireHeld);
    }

    @Override
    public void requireHeld(Duration atLeast) {
        parts.forEach(part -> part.requireHeld(atLeast));
    }

    @Override
    public CompletionStage<LossReason> lost() {
        CompletableFuture<LossReason> first = new CompletableFuture<>();
        parts.forEach(part -> part.lost().thenAccept(first::complete));
        return first.minimalCompletionStage();
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration ttl) {
        LockOptions.requireTtl(ttl);
        List<CompletableFuture<Boolean>> extensions = each(parts, part -> part.extend(ttl));
        return callbacks()
                .after(all(extensions).thenApply(done -> extensions.stream().allMatch(CompletableFuture::join)));
    }

    @Override
    public void unbind() {
        parts.forEach(LockHandle::unbind);
    }

    @Override
    public void release() {
        ReleaseMode mode = parts.get(0).releases();
        Await.uninterruptibly(
                all(releases(parts).stream().filter(mode::waitsFor).toList()));
    }

    /** All releases are sent at once, the last lock's first; the failure of one keeps none of the others. */
    @Override
    public CompletableFuture<Void> releaseAsync() {
        return callbacks().after(release(parts));
    }

    /** Completes where the last answer of the store arrives. */
    public static CompletableFuture<Void> release(List<SingleLockHandle> locks) {
        return all(releases(locks));
    }

    private Callbacks callbacks() {
        return parts.get(0).context().callbacks();
    }

    private static List<CompletableFuture<Void>> releases(List<SingleLockHandle> locks) {
        List<SingleLockHandle> lastFirst = new ArrayList<>(locks);
        Collections.reverse(lastFirst);
        return each(lastFirst, SingleLockHandle::sendRelease);
    }

    private static <T> List<CompletableFuture<T>> each(
            List<SingleLockHandle> locks, Function<SingleLockHandle, CompletableFuture<T>> step) {
        return locks.stream().map(step).toList();
    }

    /** Completes when all have ended, and fails if one has failed. */
    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> steps) {
        return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new));
    }

    @Override
    public String toString() {
        return parts.toString();
    }
}
