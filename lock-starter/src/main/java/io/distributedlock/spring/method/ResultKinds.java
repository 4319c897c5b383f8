package io.distributedlock.spring.method;

import io.distributedlock.spring.LockConfigurationException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** Finds out from a method's declared return type when its work is done, and refuses types whose end can't be seen. */
final class ResultKinds {

    private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");
    private static final boolean COROUTINES = isPresent("kotlinx.coroutines.reactor.MonoKt");
    private static final String KOTLIN_FLOW = "kotlinx.coroutines.flow.Flow";

    private ResultKinds() {}

    /** @throws LockConfigurationException if the lock could not be held until the result is complete */
    static ResultKind of(Method called, LockedMethod method) {
        Class<?> type = called.getReturnType();
        if (KotlinDetector.isSuspendingFunction(called)) {
            return suspending(called, method);
        }
        if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)) {
            return future(called, type, method);
        }
        if (isPlain(type)) {
            return ResultKind.VALUE;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter != null || isPublisher(type)) {
            return publisher(type, adapter, method);
        }
        return ResultKind.VALUE;
    }

    /** What a skipped call has to give: the type of the value itself, or the one that a future promises. */
    static Class<?> valueType(Method called, ResultKind kind) {
        boolean future = kind == ResultKind.STAGE || kind == ResultKind.AWAITED;
        return future
                ? ResolvableType.forMethodReturnType(called).getGeneric(0).resolve(Object.class)
                : called.getReturnType();
    }

    private static ResultKind suspending(Method called, LockedMethod method) {
        if (!REACTOR || !COROUTINES) {
            throw method.misused(
                    "it is a suspend function, but org.jetbrains.kotlinx:kotlinx-coroutines-reactor is not on the"
                            + " class path, and Spring's"
                            + " proxies need it for such functions: the lock would be released too early",
                    "Add that library");
        }
        String declared = new MethodParameter(called, -1).getParameterType().getName();
        return declared.equals(KOTLIN_FLOW) ? ResultKind.STREAM : ResultKind.SINGLE;
    }

    private static ResultKind future(Method called, Class<?> type, LockedMethod method) {
        if (AnnotatedElementUtils.hasAnnotation(called, Async.class)
                || AnnotatedElementUtils.hasAnnotation(called.getDeclaringClass(), Async.class)) {
            return ResultKind.AWAITED;
        }
        if (CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)) {
            return ResultKind.STAGE;
        }
        throw method.misused(
                "it returns " + type.getSimpleName()
                        + ", whose completion cannot be observed: the lock would be released too early",
                "Return CompletableFuture or CompletionStage, or add @Async");
    }

    private static ResultKind publisher(Class<?> type, @Nullable ReactiveAdapter adapter, LockedMethod method) {
        if (!REACTOR || adapter == null) {
            String library = type.getName().equals(KOTLIN_FLOW)
                    ? "org.jetbrains.kotlinx:kotlinx-coroutines-reactor"
                    : "io.projectreactor:reactor-core";
            throw method.misused(
                    "it returns " + type.getSimpleName() + ", but " + library
                            + " is not on the class path: the lock would be released too early",
                    "Add that library");
        }
        if (!type.isAssignableFrom(adapter.getReactiveType())) {
            throw method.misused(
                    "it returns " + type.getSimpleName()
                            + ", which can't be put around a lock: it would be released too early",
                    "Return " + adapter.getReactiveType().getSimpleName() + ", Mono or Flux");
        }
        return adapter.isMultiValue() ? ResultKind.STREAM : ResultKind.SINGLE;
    }

    /** To ask for an adapter loads all reactive libraries that are there, which takes its time at the start. */
    private static boolean isPlain(Class<?> type) {
        boolean ofJava = type.isPrimitive() || type.getName().startsWith("java.");
        return type.isArray()
                || type.isEnum()
                || type.isRecord()
                || ofJava && !Flow.Publisher.class.isAssignableFrom(type);
    }

    private static boolean isPublisher(Class<?> type) {
        return Flow.Publisher.class.isAssignableFrom(type)
                || isNamedLikePublisher(type)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch(ResultKinds::isNamedLikePublisher);
    }

    private static boolean isNamedLikePublisher(Class<?> type) {
        return type.getName().equals("org.reactivestreams.Publisher")
                || type.getName().equals(KOTLIN_FLOW);
    }

    private static boolean isPresent(String name) {
        return ClassUtils.isPresent(name, ResultKinds.class.getClassLoader());
    }
}
