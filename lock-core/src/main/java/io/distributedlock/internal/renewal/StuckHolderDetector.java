package io.distributedlock.internal.renewal;

import io.distributedlock.LockEvent;
import io.distributedlock.LockOptions;
import io.distributedlock.LossReason;
import io.distributedlock.internal.event.EventDispatcher;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.support.Warnings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks after holders that may never come back: it ends holds that have reached their max-hold and renewed ones that
 * no code can release any more, and reports each hold that lasts long, once, with the stack of its holder.
 */
public final class StuckHolderDetector {

    /** Code that stands between an application and the lock that it asked for. */
    private static final List<String> BETWEEN = List.of(
            "io.distributedlock.",
            "org.springframework.aop.",
            "java.lang.reflect.",
            "jdk.internal.reflect.",
            "java.util.concurrent.",
            "reactor.core.");

    /** What generated subclasses, which call the advice of a method, have in their names. */
    private static final String GENERATED = "$$";

    private final EventDispatcher notifier;
    private final Duration longHold;
    private final long longHoldNanos;
    private volatile boolean sitesAreRemembered;

    public StuckHolderDetector(EventDispatcher notifier, Duration longHold) {
        this.notifier = notifier;
        this.longHold = Durations.min(longHold, LockOptions.MAX_DURATION);
        this.longHoldNanos = this.longHold.toNanos();
    }

    /**
     * The place in the application that asks for a lock, for a report if it is never released. Looking at the stack
     * costs several microseconds, so it begins with the first report: until then, and for ever where locks are
     * released, it costs nothing, and this is null.
     */
    @Nullable
    public StackTraceElement site() {
        if (!sitesAreRemembered) {
            return null;
        }
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> isOfTheApplication(frame.getClassName()))
                        .findFirst()
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .orElse(null));
    }

    private static boolean isOfTheApplication(String className) {
        return !className.contains(GENERATED) && BETWEEN.stream().noneMatch(className::startsWith);
    }

    /** Looks at a hold and ends it if it may not go on. */
    void check(LockHold hold) {
        if (hold.isReleased() || hold.endsIfTooLong()) {
            return;
        }
        if (isAbandoned(hold) && hold.heldLease().lose(hold, LossReason.HOLDER_GONE)) {
            sitesAreRemembered = true;
            notifier.run(() -> Warnings.write(StuckHolderDetector.class, describeAbandoned(hold)));
        } else if (hold.held().compareTo(longHold) >= 0 && hold.reportsLongHold()) {
            notifier.run(() -> report(hold));
        }
    }

    /** Whether {@link #check} has something to do at {@code now}. */
    boolean isConcernedWith(LockHold hold, long now) {
        return hold.isLimited() || isAbandoned(hold) || (now - hold.since() >= longHoldNanos && !hold.isReported());
    }

    /** In which time its holder has to be looked at although there is nothing to renew. */
    Duration untilReport(HeldLease heldLease) {
        LockHold hold = heldLease.hold();
        return hold == null || hold.isReported() ? LockOptions.MAX_DURATION : longHold.minus(hold.held());
    }

    /** Without renewal the lease ends by itself, and the holder may have dropped its handle on purpose. */
    private static boolean isAbandoned(LockHold hold) {
        Thread holder = hold.holder();
        return hold.heldLease().lease().renewed() && (hold.get() == null || (holder != null && !holder.isAlive()));
    }

    private static String describeAbandoned(LockHold hold) {
        Thread holder = hold.holder();
        StackTraceElement site = hold.site();
        return "Lock '%s' was never released: %s. It was held for %d ms and is freed now. It was acquired at %s"
                .formatted(
                        hold.id().display(),
                        hold.get() == null
                                ? "its handle was dropped"
                                : "its holder, thread '" + nameOf(holder) + "', has ended",
                        hold.held().toMillis(),
                        site == null ? "a place that is remembered from now on, for the next report" : site);
    }

    private static String nameOf(@Nullable Thread holder) {
        return holder == null ? "" : holder.getName();
    }

    private void report(LockHold hold) {
        Thread holder = hold.holder();
        StackTraceElement[] stack = holder == null ? new StackTraceElement[0] : holder.getStackTrace();
        LockEvent.LongHold event =
                new LockEvent.LongHold(hold.id().name(), hold.id().key(), hold.held(), List.of(stack));
        StringBuilder text = new StringBuilder("Lock '%s' has been held for %d s, and still is"
                .formatted(hold.id().display(), event.held().toSeconds()));
        text.append(holder == null ? " (by no thread in particular)" : " by thread '" + holder.getName() + "', now");
        event.stack().forEach(frame -> text.append("\n\tat ").append(frame));
        Warnings.write(StuckHolderDetector.class, text.toString());
        notifier.tell(event);
    }
}
