package io.distributedlock.spring.metadata;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.method.FencingParameter;
import io.distributedlock.spring.method.LockedMethod;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;

/**
 * The locked methods of classes. A class is read as a whole when its first bean is created, so that a mistake shows at
 * the start of the application rather than at the first call.
 */
public final class LockOperationSource {

    private static final Log LOG = LogFactory.getLog(LockOperationSource.class);

    private static final String POST_CONSTRUCT = "jakarta.annotation.PostConstruct";

    private final Map<Class<?>, Map<Method, List<LockOperation>>> byClass = new ConcurrentHashMap<>();
    private final LockOperationReader reader;
    private final BooleanSupplier proxiesClasses;

    /** @param proxiesClasses returns whether beans that implement interfaces have proxies that are subclasses, too */
    public LockOperationSource(LockOperationReader reader, BooleanSupplier proxiesClasses) {
        this.reader = reader;
        this.proxiesClasses = proxiesClasses;
    }

    /** @throws LockConfigurationException if an annotation in this class, its superclasses or interfaces can't work */
    public boolean hasLockedMethods(Class<?> type) {
        return !operations(type).isEmpty();
    }

    /** The locks of a method, the outermost first; empty if it has none. */
    public List<LockOperation> find(Method method, Class<?> targetClass) {
        Map<Method, List<LockOperation>> operations = operations(targetClass);
        if (operations.isEmpty()) {
            return List.of();
        }
        List<LockOperation> direct = operations.get(method);
        return direct != null
                ? direct
                : operations.getOrDefault(AopUtils.getMostSpecificMethod(method, targetClass), List.of());
    }

    private Map<Method, List<LockOperation>> operations(Class<?> type) {
        Class<?> userClass = ClassUtils.getUserClass(type);
        Map<Method, List<LockOperation>> known = byClass.get(userClass);
        return known != null ? known : byClass.computeIfAbsent(userClass, this::read);
    }

    private Map<Method, List<LockOperation>> read(Class<?> type) {
        return isOfSpring(type) || !AnnotationUtils.isCandidateClass(type, DistributedLock.class)
                ? Map.of()
                : readAll(type);
    }

    /**
     * Most beans of an application are, have hundreds of methods, and know nothing of locks. Those of Spring's sample
     * applications may.
     */
    private static boolean isOfSpring(Class<?> type) {
        String name = type.getName();
        return name.startsWith("org.springframework.") && !name.startsWith("org.springframework.samples.");
    }

    private Map<Method, List<LockOperation>> readAll(Class<?> type) {
        List<MergedAnnotation<DistributedLock>> ofClass = annotationsOf(type);
        MethodIntrospector.MetadataLookup<List<MergedAnnotation<DistributedLock>>> lookup =
                method -> nearest(method, ofClass);
        Map<Method, List<MergedAnnotation<DistributedLock>>> annotated = MethodIntrospector.selectMethods(type, lookup);
        if (!annotated.isEmpty()
                && Modifier.isFinal(type.getModifiers())
                && !Proxy.isProxyClass(type)
                && !ClassUtils.isLambdaClass(type)
                && (ClassUtils.getAllInterfacesForClass(type).length == 0 || proxiesClasses.getAsBoolean())) {
            throw new LockedMethod(annotated.keySet().iterator().next())
                    .misused(
                            "the class is final, so no proxy can stand before it",
                            "Remove 'final'; in Kotlin, where classes and methods are final by default, write 'open'"
                                    + " or use the kotlin-spring"
                                    + " compiler plugin. Records can't be locked: move the method to a class");
        }
        Map<Method, List<LockOperation>> operations = new HashMap<>();
        for (Map.Entry<Method, List<MergedAnnotation<DistributedLock>>> each : annotated.entrySet()) {
            List<LockOperation> read = readEach(each.getKey(), each.getValue());
            boolean ofMethod = each.getValue().get(0).getSource() instanceof Method;
            if (canBeIntercepted(read.get(0).method(), each.getKey(), ofMethod)) {
                operations.put(each.getKey(), read);
            }
        }
        return Map.copyOf(operations);
    }

    private List<LockOperation> readEach(Method method, List<MergedAnnotation<DistributedLock>> annotations) {
        List<LockOperation> read = new ArrayList<>(annotations.size());
        for (MergedAnnotation<DistributedLock> annotation : annotations) {
            read.add(reader.read(method, annotation));
        }
        LockedMethod locked = read.get(0).method();
        if (read.size() > 1 && locked.fence() != FencingParameter.NONE) {
            throw locked.misused(
                    "it has a @FencingToken parameter and " + read.size() + " locks, each with a token of its own",
                    "Leave out the parameter, and ask LockContext for the lock of what is written to");
        }
        warnOfUnlockedCalls(method, locked, read);
        return List.copyOf(read);
    }

    private static void warnOfUnlockedCalls(Method method, LockedMethod locked, List<LockOperation> operations) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        if (annotations.isPresent(Scheduled.class) && operations.stream().allMatch(LockOperation::makesCallsWait)) {
            LOG.warn("@DistributedLock on " + locked
                    + " runs the job on every server, one after the other: each @Scheduled"
                    + " call waits for the lock. Use @LockedJob(name = \"...\"), or waitTime = \"0\" and"
                    + " onRefusal = OnRefusal.SKIP");
        }
        if (annotations.isPresent(POST_CONSTRUCT)) {
            LOG.warn("@DistributedLock on " + locked
                    + " has no effect when Spring calls it as @PostConstruct, because the bean"
                    + " has no proxy yet. Use LockTemplate in it, or a listener for ApplicationReadyEvent");
        }
    }

    /** A method's own annotation goes before that of its class, which counts for what can be called from everywhere. */
    private static @Nullable List<MergedAnnotation<DistributedLock>> nearest(
            Method method, List<MergedAnnotation<DistributedLock>> ofClass) {
        List<MergedAnnotation<DistributedLock>> own = annotationsOf(method);
        boolean open = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && method.getDeclaringClass() != Object.class;
        List<MergedAnnotation<DistributedLock>> nearest = own.isEmpty() && open ? ofClass : own;
        return nearest.isEmpty() ? null : nearest;
    }

    /**
     * Those that stand nearest, in their order; several only if it is the annotation itself that stands there
     * repeatedly.
     */
    private static List<MergedAnnotation<DistributedLock>> annotationsOf(AnnotatedElement element) {
        MergedAnnotations all = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        if (!all.isPresent(DistributedLock.class)) {
            return List.of();
        }
        List<MergedAnnotation<DistributedLock>> nearest = new ArrayList<>();
        boolean anyMade = false;
        for (MergedAnnotation<DistributedLock> each :
                all.stream(DistributedLock.class).toList()) {
            if (nearest.isEmpty() || each.getAggregateIndex() == nearest.get(0).getAggregateIndex()) {
                nearest.add(each);
                anyMade |= each.isMetaPresent();
            }
        }
        if (nearest.size() > 1 && anyMade) {
            throw ambiguous(element);
        }
        return List.copyOf(nearest);
    }

    private static LockConfigurationException ambiguous(AnnotatedElement element) {
        return element instanceof Method method
                ? new LockedMethod(method)
                        .misused(
                                "the method has it more than once, through annotations that are made of it",
                                "Keep one, or write them all out as @DistributedLock, the outermost lock first")
                : new LockConfigurationException(
                        "@DistributedLock on " + ((Class<?>) element).getName()
                                + ": the class has it more than once, through annotations that are made of it",
                        "Keep one, or write them all out");
    }

    private boolean canBeIntercepted(LockedMethod locked, Method method, boolean annotated) {
        int modifiers = method.getModifiers();
        String hindrance = Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isStatic(modifiers) ? "static" : Modifier.isFinal(modifiers) ? "final" : null;
        if (hindrance == null) {
            return true;
        }
        LockConfigurationException mistake = locked.misused(
                "the method is " + hindrance + ", so no proxy can intercept its calls",
                "Remove '" + hindrance + "', or use LockTemplate in the method");
        if (annotated) {
            reader.report(mistake);
        } else {
            LOG.warn(mistake.getMessage());
        }
        return hindrance.equals("final");
    }
}
