package io.distributedlock.spring.metadata;

import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.LockRefusal;
import io.distributedlock.spring.LockRefusedHandler;
import io.distributedlock.spring.OnRefusal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * What is done with the calls of one method whose lock was refused.
 *
 * @param handler answers them; null if there is none
 */
record RefusedCalls(OnRefusal onRefusal, @Nullable Supplier<LockRefusedHandler> handler) {

    /** Whether the caller gets something else than the exception. */
    boolean areAnswered() {
        return handler != null || onRefusal == OnRefusal.SKIP;
    }

    /** @return the handler's answer, in the return type of the method; {@code nothing} where no handler is asked */
    @Nullable
    Object answer(LockRequest request, MethodInvocation call, LockNotAcquiredException reason, @Nullable Object nothing)
            throws Exception {
        if (handler == null) {
            return nothing;
        }
        List<@Nullable Object> arguments =
                Collections.unmodifiableList(Arrays.asList(call.getArguments().clone()));
        return handler.get().handle(new LockRefusal(request, call.getMethod(), arguments, reason));
    }
}
