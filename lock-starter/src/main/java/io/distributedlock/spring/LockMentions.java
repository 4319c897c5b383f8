package io.distributedlock.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * Finds out whether a class has anything to do with {@link DistributedLock}. Hardly any bean has, and to look at each class and interface once
 * costs far less than to search the whole hierarchy of each method of each bean.
 */
final class LockMentions {

    private final Map<Class<?>, Boolean> byClass = new ConcurrentHashMap<>();
    private final Map<Class<?>, Boolean> byAnnotation = new ConcurrentHashMap<>();

    /** Whether it, or anything that it extends or implements, or one of their methods has the annotation or one that is made of it. */
    boolean areIn(Class<?> type) {
        Boolean known = byClass.get(type);
        if (known == null) {
            known = areFoundIn(type);
            byClass.put(type, known);
        }
        return known;
    }

    private boolean areFoundIn(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, DistributedLock.class)) {
            return false;
        }
        Class<?> superclass = type.getSuperclass();
        if (superclass != null && areIn(superclass)) {
            return true;
        }
        for (Class<?> each : type.getInterfaces()) {
            if (areIn(each)) {
                return true;
            }
        }
        return isMarked(type) || hasMarkedMethod(type);
    }

    private boolean hasMarkedMethod(Class<?> type) {
        for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
            if (isMarked(method)) {
                return true;
            }
        }
        return false;
    }

    private boolean isMarked(AnnotatedElement element) {
        try {
            for (Annotation annotation : element.getDeclaredAnnotations()) {
                if (means(annotation.annotationType())) {
                    return true;
                }
            }
            return false;
        } catch (RuntimeException | LinkageError unreadable) {
            return true;
        }
    }

    private boolean isMadeOfIt(Class<? extends Annotation> type) {
        Boolean known = byAnnotation.get(type);
        if (known == null) {
            known = MergedAnnotations.from(type).isPresent(DistributedLock.class) || isContainer(type);
            byAnnotation.put(type, known);
        }
        return known;
    }

    /** Several annotations of one type stand in a container, which itself is made of nothing. */
    private boolean isContainer(Class<? extends Annotation> type) {
        Method value = ReflectionUtils.findMethod(type, MergedAnnotation.VALUE);
        Class<?> content = value == null ? null : value.getReturnType().getComponentType();
        return content != null
                && content.isAnnotation()
                && content != type
                && means(content.asSubclass(Annotation.class));
    }

    private boolean means(Class<? extends Annotation> type) {
        return type == DistributedLock.class || type == DistributedLocks.class || isMadeOfIt(type);
    }
}
