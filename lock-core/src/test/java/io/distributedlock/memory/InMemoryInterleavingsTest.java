package io.distributedlock.memory;

import static io.distributedlock.Interleavings.explore;
import static io.distributedlock.Interleavings.require;
import static io.distributedlock.Interleavings.together;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads at one lock of the store in memory: it is granted once, and a release passes it on. */
@Tag("long")
@Timeout(300)
class InMemoryInterleavingsTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Claim ONE = new Claim("lock", "one");
    private static final Claim TWO = new Claim("lock", "two");

    @Test
    void aLockIsGrantedToOneOfTwoClaims() {
        explore(InMemoryInterleavingsTest::twoWantAFreeLock);
    }

    private static void twoWantAFreeLock() {
        InMemoryLockStore store = new InMemoryLockStore(() -> 0);
        AtomicReference<AcquireResult> one = new AtomicReference<>();
        AtomicReference<AcquireResult> two = new AtomicReference<>();
        together(() -> one.set(acquire(store, ONE)), () -> two.set(acquire(store, TWO)));
        require(one.get() instanceof Granted != two.get() instanceof Granted, "one of them has it");
    }

    @Test
    void aReleasedLockIsGrantedToTheClaimThatComesMeanwhile() {
        explore(InMemoryInterleavingsTest::oneComesWhileTheOtherReleases);
    }

    private static void oneComesWhileTheOtherReleases() {
        InMemoryLockStore store = new InMemoryLockStore(() -> 0);
        AtomicReference<AcquireResult> two = new AtomicReference<>();
        require(acquire(store, ONE) instanceof Granted, "a free lock is granted");
        together(() -> store.release(ONE), () -> two.set(acquire(store, TWO)));
        require(
                !(two.get() instanceof Refused refused)
                        || refused.grantNotification().toCompletableFuture().isDone(),
                "the next one has it");
        store.release(TWO);
        require(store.find("lock").toCompletableFuture().join().isEmpty(), "nothing is left");
    }

    private static AcquireResult acquire(InMemoryLockStore store, Claim claim) {
        return store.acquire(claim, TTL, TTL).toCompletableFuture().join();
    }
}
