package io.distributedlock.spring;

import org.jspecify.annotations.Nullable;

/** Answers in place of methods whose lock was refused: a bean that {@link DistributedLock#handler()} names. */
@FunctionalInterface
public interface LockRefusedHandler {

    /**
     * Called once for each refused call: on the caller's thread, or where the method itself would have been called if
     * it returns a future or a publisher. A lock that can't be asked for, because Redis does not answer, is no refusal:
     * the caller gets that as an exception.
     *
     * @return what the method would have returned, in its own return type: also a future, if it returns one
     * @throws Exception what the caller shall get; a checked one should be declared by the method
     */
    @Nullable
    Object handle(LockRefusal refusal) throws Exception;
}
