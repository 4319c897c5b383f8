package io.distributedlock;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where locks are acquired, for reports of locks that are never released. Looking at the stack costs several microseconds, so
 * it begins with the first report: until then, and for ever where locks are released, it costs nothing.
 */
final class AcquisitionSites {

    private static final Set<String> OURS = Set.of(
            LockClient.class.getName(),
            LockTemplate.class.getName(),
            JointAcquisition.class.getName(),
            AcquisitionSites.class.getName());

    private volatile boolean remembered;

    void remember() {
        remembered = true;
    }

    /** Who is asking the lock client; null as long as nobody has to know. */
    @Nullable
    StackTraceElement here() {
        if (!remembered) {
            return null;
        }
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !OURS.contains(frame.getClassName()))
                        .findFirst()
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .orElse(null));
    }
}
