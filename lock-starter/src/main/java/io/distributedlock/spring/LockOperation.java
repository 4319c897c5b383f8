package io.distributedlock.spring;

import io.distributedlock.LockOptions;
import io.distributedlock.LockRequest;
import io.distributedlock.spi.LockMode;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What {@code @DistributedLock} says about one method, with everything read and checked that does not depend on a call. */
record LockOperation(
        LockedMethod method, String name, KeyExpression key, LockMode mode, LockOptions options, OnRefusal onRefusal) {

    private static final Map<Class<?>, Object> NOTHING = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    /** @throws IllegalArgumentException if the key of this call is no key */
    LockRequest request(KeyExpression.Call call) {
        return new LockRequest(name, key.evaluate(call), mode, options);
    }

    boolean skips() {
        return onRefusal == OnRefusal.SKIP;
    }

    /** What the caller of a skipped method gets. */
    @Nullable
    Object nothing() {
        return NOTHING.get(method.returnType());
    }
}
