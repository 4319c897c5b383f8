package io.distributedlock;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks after holders that may never come back: it ends holds that have reached their max-hold and renewed ones that nobody can release any
 * more, and reports each hold that lasts long, once, with the stack of its holder.
 */
final class HolderCheck {

    private final AcquisitionSites sites = new AcquisitionSites();
    private final Notifier notifier;
    private final Duration longHold;
    private final long longHoldNanos;

    HolderCheck(Notifier notifier, Duration longHold) {
        this.notifier = notifier;
        this.longHold = Durations.min(longHold, LockOptions.MAX_DURATION);
        this.longHoldNanos = this.longHold.toNanos();
    }

    AcquisitionSites sites() {
        return sites;
    }

    /** Looks at a hold and ends it if it may not go on. */
    void check(Hold hold) {
        if (hold.isReleased() || hold.endsIfTooLong()) {
            return;
        }
        if (isAbandoned(hold) && hold.tenure().lose(hold, LossReason.HOLDER_GONE)) {
            sites.remember();
            notifier.run(() -> Warnings.write(HolderCheck.class, describeAbandoned(hold)));
        } else if (hold.held().compareTo(longHold) >= 0 && hold.reportsLongHold()) {
            notifier.run(() -> report(hold));
        }
    }

    /** Whether {@link #check} has something to do at {@code now}. */
    boolean isConcernedWith(Hold hold, long now) {
        return hold.isLimited() || isAbandoned(hold) || (now - hold.since() >= longHoldNanos && !hold.isReported());
    }

    /** In which time its holder has to be looked at although there is nothing to renew. */
    Duration untilReport(Tenure tenure) {
        Hold hold = tenure.hold();
        return hold == null || hold.isReported() ? LockOptions.MAX_DURATION : longHold.minus(hold.held());
    }

    /** Without renewal the lease ends by itself, and whoever dropped its handle may mean it. */
    private static boolean isAbandoned(Hold hold) {
        Thread holder = hold.holder();
        return hold.tenure().lease().renewed() && (hold.get() == null || (holder != null && !holder.isAlive()));
    }

    private static String describeAbandoned(Hold hold) {
        Thread holder = hold.holder();
        StackTraceElement site = hold.site();
        return "Lock '%s' was never released: %s. It was held for %d ms and is freed now. It was acquired at %s"
                .formatted(
                        hold.id().display(),
                        hold.get() == null
                                ? "nobody has its handle any more"
                                : "its holder, thread '" + nameOf(holder) + "', has ended",
                        hold.held().toMillis(),
                        site == null ? "a place that is remembered from now on, for the next report" : site);
    }

    private static String nameOf(@Nullable Thread holder) {
        return holder == null ? "" : holder.getName();
    }

    private void report(Hold hold) {
        Thread holder = hold.holder();
        StackTraceElement[] stack = holder == null ? new StackTraceElement[0] : holder.getStackTrace();
        LockEvent.LongHold event =
                new LockEvent.LongHold(hold.id().name(), hold.id().key(), hold.held(), List.of(stack));
        StringBuilder text = new StringBuilder("Lock '%s' has been held for %d s, and still is"
                .formatted(hold.id().display(), event.held().toSeconds()));
        text.append(holder == null ? " (by no thread in particular)" : " by thread '" + holder.getName() + "', now");
        event.stack().forEach(frame -> text.append("\n\tat ").append(frame));
        Warnings.write(HolderCheck.class, text.toString());
        notifier.tell(event);
    }
}
