package io.distributedlock.campaign;

import io.distributedlock.LockHandle;
import io.distributedlock.OwnerOf;
import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ExtensionAnswers;
import io.distributedlock.spi.JointExtension;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.OwnerHash;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Learns by which owner a call stands in Redis: a caller that finds nobody in line in front of it sends its first command on its own thread. Of
 * one that had to stand in line, only its lock tells the owner, if it gets one.
 */
final class OwnerTap {

    private static final String QUEUE = "io.distributedlock.LocalQueue";
    private static final String ARRIVAL = "join";

    private final ThreadLocal<String> owner = ThreadLocal.withInitial(() -> "");

    /** The store, tapped. Of several taps of a chain the innermost counts, because it sees what is really sent. */
    LockStore into(LockStore store) {
        return new ForwardingStore(store) {
            @Override
            public CompletionStage<Attempt> acquire(Claim claim, Duration ttl, Duration patience) {
                if (isForCaller()) {
                    owner.set(claim.owner());
                }
                return super.acquire(claim, ttl, patience);
            }

            @Override
            public void extendAll(List<Claim> claims, long token, Duration ttl, ExtensionAnswers answers) {
                sound.extendAll(claims, token, ttl, answers);
            }

            @Override
            public JointExtension prepareExtension(List<Claim> claims, long token, Duration ttl) {
                return sound.prepareExtension(claims, token, ttl);
            }
        };
    }

    /** Threads also send the first command of one who stood behind them, when they are through. */
    private static boolean isForCaller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(QUEUE)
                        && frame.getMethodName().equals(ARRIVAL)));
    }

    /** A call of this thread begins. */
    void begin() {
        owner.remove();
    }

    /** The hash of the owner that this thread's call has sent; empty if it has sent none, or if another thread has sent it. */
    String hash() {
        return OwnerHash.of(owner.get());
    }

    /** The hash of the owner by which a call has got its lock. */
    String hash(LockHandle lock) {
        String sent = owner.get();
        return OwnerHash.of(sent.isEmpty() ? OwnerOf.lock(lock) : sent);
    }
}
