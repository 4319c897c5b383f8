package io.distributedlock.campaign.client;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.BatchExtension;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.OnDemandTokens;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** A store around a store that forwards each call unless a subclass overrides it. */
public class ForwardingStore implements LockStore, BatchExtension, OnDemandTokens {

    final LockStore sound;

    public ForwardingStore(LockStore sound) {
        this.sound = sound;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return sound.acquire(claim, ttl, patience);
    }

    /** The answer with its grant changed, whether the try was granted or a notification brings the grant later. */
    public static AcquireResult changed(AcquireResult answer, UnaryOperator<Granted> change) {
        if (answer instanceof Granted granted) {
            return change.apply(granted);
        }
        Refused refused = (Refused) answer;
        return new Refused(
                refused.retryAfter(),
                refused.queued(),
                refused.grantNotification().thenApply(news -> news.map(change)));
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return sound.extend(claim, token, ttl);
    }

    @Override
    public PreparedBatchExtension prepareExtension(List<Claim> claims, long token, Duration ttl) {
        return PreparedBatchExtension.oneByOne(this, claims, token, ttl);
    }

    @Override
    public CompletionStage<Long> drawToken(Claim claim) {
        return OnDemandTokens.draw(sound, claim);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return sound.release(claim);
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return sound.releaseAfter(claim, time);
    }

    @Override
    public CompletionStage<?> ready() {
        return sound.ready();
    }

    @Override
    public void onReachable(Runnable hook) {
        sound.onReachable(hook);
    }

    @Override
    public void close() {
        sound.close();
    }
}
