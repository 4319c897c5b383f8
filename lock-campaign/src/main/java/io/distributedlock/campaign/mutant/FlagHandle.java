package io.distributedlock.campaign.mutant;

import io.distributedlock.LockHandle;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A handle that says "held" until a thread of the application has run what follows its loss. */
record FlagHandle(LockHandle sound, CompletableFuture<LossReason> lost) implements LockHandle {

    static FlagHandle of(LockHandle sound, Executor executor) {
        return new FlagHandle(
                sound, sound.lost().thenApplyAsync(reason -> reason, executor).toCompletableFuture());
    }

    @Override
    public boolean isHeld() {
        return !lost.isDone();
    }

    @Override
    public String name() {
        return sound.name();
    }

    @Override
    public String key() {
        return sound.key();
    }

    @Override
    public long fencingToken() {
        return sound.fencingToken();
    }

    @Override
    public CompletableFuture<Long> fencingTokenAsync() {
        return sound.fencingTokenAsync();
    }

    @Override
    public Duration remaining() {
        return sound.remaining();
    }

    @Override
    public LockState state() {
        return sound.state();
    }

    @Override
    public void requireHeld(Duration atLeast) {
        sound.requireHeld(atLeast);
    }

    @Override
    public void unbind() {
        sound.unbind();
    }

    @Override
    public void requireHeld() {
        sound.requireHeld();
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration ttl) {
        return sound.extendAsync(ttl);
    }

    @Override
    public void release() {
        sound.release();
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return sound.releaseAsync();
    }
}
