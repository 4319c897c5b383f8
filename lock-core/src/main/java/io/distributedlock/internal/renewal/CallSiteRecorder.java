package io.distributedlock.internal.renewal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where locks are acquired, for reports of locks that are never released. Looking at the stack costs several
 * microseconds, so it begins with the first report: until then, and for ever where locks are released, it costs
 * nothing.
 */
public final class CallSiteRecorder {

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

    private volatile boolean remembered;

    void remember() {
        remembered = true;
    }

    /** The place in the application that asks for a lock; null until a report has been written. */
    @Nullable
    public StackTraceElement here() {
        if (!remembered) {
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
}
