package io.distributedlock.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * The locked methods of classes. A class is read as a whole when its first bean is created, so that a mistake shows at the start of the
 * application rather than at the first call.
 */
final class LockOperationSource {

    private static final Log LOG = LogFactory.getLog(LockOperationSource.class);

    private final Map<Class<?>, Map<Method, LockOperation>> byClass = new ConcurrentHashMap<>();
    private final LockOperationReader reader;

    LockOperationSource(LockOperationReader reader) {
        this.reader = reader;
    }

    /** @throws LockConfigurationException if an annotation in this class, its superclasses or interfaces can't work */
    boolean hasLockedMethods(Class<?> type) {
        return !operations(type).isEmpty();
    }

    @Nullable
    LockOperation find(Method method, Class<?> targetClass) {
        Map<Method, LockOperation> operations = operations(targetClass);
        if (operations.isEmpty()) {
            return null;
        }
        LockOperation direct = operations.get(method);
        return direct != null ? direct : operations.get(AopUtils.getMostSpecificMethod(method, targetClass));
    }

    private Map<Method, LockOperation> operations(Class<?> type) {
        Class<?> userClass = ClassUtils.getUserClass(type);
        Map<Method, LockOperation> known = byClass.get(userClass);
        return known != null ? known : byClass.computeIfAbsent(userClass, this::read);
    }

    private Map<Method, LockOperation> read(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, DistributedLock.class) ? readAll(type) : Map.of();
    }

    private Map<Method, LockOperation> readAll(Class<?> type) {
        MergedAnnotation<DistributedLock> ofClass = annotationOf(
                type,
                () -> new LockConfigurationException(
                        "@DistributedLock on " + type.getName() + ": the class has it more than once", "Keep one"));
        MethodIntrospector.MetadataLookup<MergedAnnotation<DistributedLock>> lookup =
                method -> nearest(method, ofClass);
        Map<Method, MergedAnnotation<DistributedLock>> annotated = MethodIntrospector.selectMethods(type, lookup);
        if (!annotated.isEmpty()
                && Modifier.isFinal(type.getModifiers())
                && ClassUtils.getAllInterfacesForClass(type).length == 0) {
            throw new LockedMethod(annotated.keySet().iterator().next())
                    .misused(
                            "the class is final, so no proxy can stand before it",
                            "Remove 'final'; in Kotlin, where classes and methods are final by default, write 'open' or use the kotlin-spring"
                                    + " compiler plugin. Records can't be locked: move the method to a class");
        }
        Map<Method, LockOperation> operations = new HashMap<>();
        annotated.forEach((method, annotation) -> {
            LockOperation operation = reader.read(method, annotation);
            if (canBeIntercepted(operation, method)) {
                operations.put(method, operation);
            }
        });
        return Map.copyOf(operations);
    }

    /** A method's own annotation goes before that of its class, which counts for what can be called from everywhere. */
    private static @Nullable MergedAnnotation<DistributedLock> nearest(
            Method method, @Nullable MergedAnnotation<DistributedLock> ofClass) {
        MergedAnnotation<DistributedLock> own = annotationOf(
                method,
                () -> new LockedMethod(method)
                        .misused(
                                "the method has it more than once, perhaps through two annotations that are made of it",
                                "Keep one, and take the other lock with LockTemplate inside the method"));
        boolean open = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && method.getDeclaringClass() != Object.class;
        return own == null && open ? ofClass : own;
    }

    private static @Nullable MergedAnnotation<DistributedLock> annotationOf(
            AnnotatedElement element, Supplier<LockConfigurationException> ambiguity) {
        MergedAnnotations all = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        if (!all.isPresent(DistributedLock.class)) {
            return null;
        }
        List<MergedAnnotation<DistributedLock>> found =
                all.stream(DistributedLock.class).toList();
        MergedAnnotation<DistributedLock> nearest = found.get(0);
        boolean ambiguous =
                found.stream().skip(1).anyMatch(other -> other.getAggregateIndex() == nearest.getAggregateIndex());
        if (ambiguous) {
            throw ambiguity.get();
        }
        return nearest;
    }

    private static boolean canBeIntercepted(LockOperation operation, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            LOG.warn("@DistributedLock on " + operation.method() + " has no effect: the method is "
                    + (Modifier.isStatic(modifiers) ? "static" : "private") + ", so no proxy can intercept its calls");
            return false;
        }
        if (Modifier.isFinal(modifiers)) {
            LOG.warn("@DistributedLock on " + operation.method()
                    + " has an effect only for calls through an interface proxy: the method is final, so a class proxy can't"
                    + " intercept its calls. Remove 'final'");
        }
        return true;
    }
}
