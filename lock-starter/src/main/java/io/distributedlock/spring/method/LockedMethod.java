package io.distributedlock.spring.method;

import io.distributedlock.spring.LockConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * The method on which {@code @DistributedLock} stands, as messages name it and as expressions see it.
 *
 * @param returnType what a call gives, or what its future promises; the called method can be narrower than an annotated
 *     one of an interface
 * @param result how the called method tells that its work is done
 * @param fence which parameter is given the fencing token
 */
public record LockedMethod(Method method, Class<?> returnType, ResultKind result, FencingParameter fence) {

    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /**
     * @throws LockConfigurationException if a lock can't be held until the work of {@code called} is done, or its token
     * be given to it
     */
    public static LockedMethod of(Method annotated, Method called) {
        LockedMethod named = new LockedMethod(annotated);
        ResultKind result = ResultKinds.of(called, named);
        return new LockedMethod(
                annotated, ResultKinds.valueType(called, result), result, FencingParameter.of(called, named));
    }

    public LockedMethod(Method method) {
        this(method, method.getReturnType(), ResultKind.VALUE, FencingParameter.NONE);
    }

    /** Whether callers pass anything that a key could be made of. */
    public boolean hasArguments() {
        int others = fence == FencingParameter.NONE ? 0 : 1;
        if (KotlinDetector.isSuspendingFunction(method)) {
            others++;
        }
        return method.getParameterCount() > others;
    }

    /** Whether what {@code called} returns is only the beginning of its work. */
    public boolean worksAfterReturn(Method called) {
        return LateResults.include(called.getReturnType());
    }

    /** The default name of its lock. */
    public String lockName() {
        return simpleName(method.getDeclaringClass()) + "." + method.getName();
    }

    public static String simpleName(Class<?> type) {
        return ClassUtils.getShortName(type).replaceFirst(".*\\.", "");
    }

    /** The names of its parameters, or null if its class was compiled without them. */
    @Nullable
    public List<String> parameterNames() {
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        if (names == null) {
            return null;
        }
        List<String> known = new ArrayList<>(names.length);
        for (String name : names) {
            known.add(name == null ? "" : name);
        }
        return known;
    }

    public String className() {
        return method.getDeclaringClass().getName();
    }

    public LockConfigurationException misused(String problem, String advice, @Nullable Throwable cause) {
        return new LockConfigurationException("@DistributedLock on " + this + ": " + problem, advice, cause);
    }

    public LockConfigurationException misused(String problem, String advice) {
        return misused(problem, advice, null);
    }

    @Override
    public String toString() {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", className() + "." + method.getName() + "(", ")"));
    }
}
