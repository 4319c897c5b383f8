package io.distributedlock.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * The method on which {@code @DistributedLock} stands, as messages name it and as expressions see it.
 *
 * @param returnType what the called method returns, which may be narrower than what an annotated method of an interface does
 */
record LockedMethod(Method method, Class<?> returnType) {

    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    LockedMethod(Method method) {
        this(method, method.getReturnType());
    }

    /** The default name of its lock. */
    String lockName() {
        return ClassUtils.getShortName(method.getDeclaringClass()).replaceFirst(".*\\.", "") + "." + method.getName();
    }

    /** The names of its parameters, or null if its class was compiled without them. */
    @Nullable
    List<String> parameterNames() {
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        return names == null
                ? null
                : Arrays.stream(names).map(name -> name == null ? "" : name).toList();
    }

    String className() {
        return method.getDeclaringClass().getName();
    }

    LockConfigurationException misused(String problem, String advice, @Nullable Throwable cause) {
        return new LockConfigurationException("@DistributedLock on " + this + ": " + problem, advice, cause);
    }

    LockConfigurationException misused(String problem, String advice) {
        return misused(problem, advice, null);
    }

    /** Work that goes on after the method has returned would go on without the lock. */
    boolean returnsBeforeItsWorkIsDone() {
        return CompletionStage.class.isAssignableFrom(returnType)
                || Future.class.isAssignableFrom(returnType)
                || Flow.Publisher.class.isAssignableFrom(returnType)
                || KotlinDetector.isSuspendingFunction(method)
                || returnsReactiveType();
    }

    private boolean returnsReactiveType() {
        return returnType != void.class
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(returnType) != null;
    }

    @Override
    public String toString() {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", className() + "." + method.getName() + "(", ")"));
    }
}
