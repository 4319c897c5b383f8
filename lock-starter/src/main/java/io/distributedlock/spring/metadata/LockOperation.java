package io.distributedlock.spring.metadata;

import io.distributedlock.LockMode;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockOptions;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.key.KeyExpression;
import io.distributedlock.spring.key.LockCondition;
import io.distributedlock.spring.method.LockedMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * What {@code @DistributedLock} says about one method, with everything read and checked that does not depend on a call.
 *
 * @param keys empty for the lock of the name alone
 * @param condition says which calls need the lock; null if all do
 * @param segments how the lock is cut; null if it is not
 */
public record LockOperation(
        LockedMethod method,
        String name,
        List<KeyExpression> keys,
        @Nullable Segmentation segments,
        LockMode mode,
        @Nullable LockCondition condition,
        LockOptions options,
        RefusedCalls refused) {

    private static final List<String> NAME_ALONE = List.of("");
    private static final Map<Class<?>, Object> NOTHING = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    /** @throws IllegalArgumentException if the condition of this call is neither true nor false */
    public boolean isNeededFor(KeyExpression.Call call) {
        return condition == null || condition.holds(call);
    }

    /** @throws IllegalArgumentException if a key of this call is no key, or there are too many */
    public LockRequest request(KeyExpression.Call call) {
        List<String> values = keys.isEmpty() ? NAME_ALONE : values(call);
        return new LockRequest(name, segments == null ? values : segments.keys(values, call), mode, options);
    }

    private List<String> values(KeyExpression.Call call) {
        return keys.size() == 1
                ? keys.get(0).evaluateAll(call)
                : keys.stream().flatMap(key -> key.evaluateAll(call).stream()).toList();
    }

    /** Whether a call waits until the lock is free, as far as the annotation can tell. */
    boolean makesCallsWait() {
        return !answersRefusals() && !Duration.ZERO.equals(options.waitTime()) && options.policy() == null;
    }

    public boolean answersRefusals() {
        return refused.areAnswered();
    }

    /**
     * What the caller of a refused method gets. A publisher that is skipped has no such value: it ends without one, and
     * this is null.
     */
    @Nullable
    public Object answer(LockRequest request, MethodInvocation call, LockNotAcquiredException reason) throws Exception {
        return refused.answer(
                request,
                call,
                reason,
                method.result().isFuture() ? CompletableFuture.completedFuture(nothing()) : nothing());
    }

    /** What a skipped method gives, or its future promises. */
    @Nullable
    Object nothing() {
        return NOTHING.get(method.returnType());
    }
}
