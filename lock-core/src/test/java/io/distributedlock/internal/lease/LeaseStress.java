package io.distributedlock.internal.lease;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.distributedlock.LossReason;
import io.distributedlock.internal.time.Deadline;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * What two threads see of a lease that both of them use without a lock, in the orders that processor and compiler make:
 * JCStress runs each pair some million times. {@link LeaseStressTest} starts it.
 */
final class LeaseStress {

    private LeaseStress() {}

    private static LockHold granted() {
        return new StandaloneLeases().granted("42").hold();
    }

    /** One thread asks for the future of a hold's end while another one ends it. */
    @JCStressTest
    @State
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "the future is completed, whoever was first")
    @Outcome(expect = FORBIDDEN, desc = "a future that no thread completes")
    public static class FutureOfAnEnd {
        private final LockHold hold = granted();
        private @Nullable CompletableFuture<Void> ended;

        @Actor
        public void ask() {
            ended = hold.ended();
        }

        @Actor
        public void end() {
            hold.releaseEnded(null);
        }

        @Arbiter
        public void look(Z_Result result) {
            result.r1 = ended != null && ended.isDone();
        }
    }

    /** A release and a loss meet. */
    @JCStressTest
    @State
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "one of them ends the hold")
    @Outcome(expect = FORBIDDEN, desc = "both or neither")
    public static class ReleaseAndLoss {
        private final LockHold hold = granted();

        @Actor
        public void release() {
            hold.release();
        }

        @Actor
        public void lose() {
            hold.heldLease().lose(LossReason.CLOSED);
        }

        @Arbiter
        public void look(ZZ_Result result) {
            result.r1 = hold.isReleased();
            result.r2 = hold.isLost();
        }
    }

    /** Two answers confirm a lease, and their threads note that at the same time. */
    @JCStressTest
    @State
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "the later deadline counts")
    @Outcome(expect = FORBIDDEN, desc = "the later deadline was overwritten")
    public static class TwoConfirmations {
        private final HeldLease lease = granted().heldLease();
        private final long before = lease.safeUntil();

        @Actor
        public void earlier() {
            lease.confirmed(new Deadline(before + 1, 0));
        }

        @Actor
        public void later() {
            lease.confirmed(new Deadline(before + 2, 0));
        }

        @Arbiter
        public void look(Z_Result result) {
            result.r1 = lease.safeUntil() == before + 2;
        }
    }

    /** A holder asks twice until when its lock is safe while that is confirmed for longer. */
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "a deadline never moves back")
    @Outcome(expect = FORBIDDEN, desc = "the deadline moved back")
    public static class DeadlineThatIsRead {
        private final HeldLease lease = granted().heldLease();
        private final long before = lease.safeUntil();

        @Actor
        public void confirm() {
            lease.confirmed(new Deadline(before + 1, 0));
        }

        @Actor
        public void read(JJ_Result result) {
            result.r1 = lease.safeUntil() - before;
            result.r2 = lease.safeUntil() - before;
        }
    }

    /** A planted mistake, which has to be found: the future is written without a comparison. */
    @JCStressTest
    @State
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "the future is completed")
    @Outcome(expect = FORBIDDEN, desc = "a future that no thread completes")
    public static class PlantedFutureWithoutComparison {
        private volatile @Nullable CompletableFuture<String> field;
        private @Nullable CompletableFuture<String> asked;

        @Actor
        public void ask() {
            if (field == null) {
                field = new CompletableFuture<>();
            }
            asked = field;
        }

        @Actor
        public void complete() {
            CompletableFuture<String> present = field;
            if (present == null) {
                field = CompletableFuture.completedFuture("done");
            } else {
                present.complete("done");
            }
        }

        @Arbiter
        public void look(Z_Result result) {
            result.r1 = asked != null && asked.isDone();
        }
    }

    /** A planted mistake, which has to be found: the later deadline is compared and written in two steps. */
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "the later deadline counts")
    @Outcome(expect = FORBIDDEN, desc = "the later deadline was overwritten")
    public static class PlantedDeadlineInTwoSteps {
        private volatile Deadline deadline = new Deadline(0, 0);

        @Actor
        public void earlier() {
            deadline = deadline.or(new Deadline(1, 0));
        }

        @Actor
        public void later() {
            deadline = deadline.or(new Deadline(2, 0));
        }

        @Arbiter
        public void look(J_Result result) {
            result.r1 = deadline.instant();
        }
    }
}
