package io.distributedlock.internal.lease;

import static io.distributedlock.Interleavings.explore;
import static io.distributedlock.Interleavings.require;
import static io.distributedlock.Interleavings.together;

import io.distributedlock.LossReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What several threads do to leases at once: registry, planned looks, signals. */
@Tag("long")
@Timeout(300)
class LeaseInterleavingsTest {

    @Test
    void theRegistryKnowsExactlyWhatHasNotEnded() {
        explore(LeaseInterleavingsTest::addAndEnd);
    }

    private static void addAndEnd() {
        StandaloneLeases leases = new StandaloneLeases();
        LeaseRegistry registry = new LeaseRegistry();
        SingleLockHandle old = leases.granted("old");
        SingleLockHandle brief = leases.granted("brief");
        SingleLockHandle lasting = leases.granted("lasting");
        registry.add(old.hold().heldLease());
        together(
                () -> {
                    registry.add(brief.hold().heldLease());
                    registry.end(old.hold().heldLease());
                },
                () -> registry.add(lasting.hold().heldLease()),
                () -> registry.end(brief.hold().heldLease()));
        require(registry.all().equals(List.of(lasting.hold().heldLease())), "only the lasting lease is watched");
    }

    @Test
    void noTimerIsLeftOfALeaseThatHasEnded() {
        explore(LeaseInterleavingsTest::lookAndEnd);
    }

    private static void lookAndEnd() {
        StandaloneLeases leases = new StandaloneLeases();
        HeldLease lease = leases.granted("42").hold().heldLease();
        together(() -> lease.checkIn(Duration.ofSeconds(1)), () -> lease.lose(LossReason.CLOSED));
        require(leases.time.timers() == 0, "no timer is set");
    }

    @Test
    void aHoldEndsOnceAndItsFuturesComplete() {
        explore(LeaseInterleavingsTest::releaseAndLose);
    }

    /** The futures are made while the loss is signalled, and neither thread has seen the other's. */
    private static void releaseAndLose() {
        StandaloneLeases leases = new StandaloneLeases();
        LockHold hold = leases.granted("42").hold();
        together(
                () -> {
                    hold.lost();
                    hold.release();
                },
                () -> hold.heldLease().lose(LossReason.CLOSED));
        boolean lost = hold.isLost();
        require(lost != hold.isReleased(), "it is either lost or released");
        require(lost == (leases.releases.get() == 0), "a release of a lost hold is not sent");
        require(!lost || hold.lost().isDone(), "the loss is signalled to the future that was asked for before");
        require(hold.ended().isDone(), "its end is told");
    }
}
