package io.distributedlock.spring.metadata;

import io.distributedlock.LockMode;
import io.distributedlock.LockOptions;
import io.distributedlock.SegmentedLock;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.LockRefusedHandler;
import io.distributedlock.spring.OnRefusal;
import io.distributedlock.spring.key.KeyExpression;
import io.distributedlock.spring.key.LockCondition;
import io.distributedlock.spring.method.FencingParameter;
import io.distributedlock.spring.method.LockedMethod;
import io.distributedlock.spring.method.Strictness;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.function.SingletonSupplier;

/** Reads one {@code @DistributedLock}, and refuses what could not work when the method is called. */
public final class LockOperationReader {

    private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?\\d+");

    private final ConfigurableBeanFactory beans;
    private final LockOptions defaults;
    private final Supplier<@Nullable Set<String>> policies;
    private final Strictness strictness;

    public LockOperationReader(
            ConfigurableBeanFactory beans,
            LockOptions defaults,
            Supplier<@Nullable Set<String>> policies,
            Strictness strictness) {
        this.beans = beans;
        this.defaults = defaults;
        this.policies = policies;
        this.strictness = strictness;
    }

    /** @throws LockConfigurationException if anything in the annotation can't work */
    LockOperation read(Method called, MergedAnnotation<DistributedLock> annotation) {
        LockedMethod method =
                LockedMethod.of(annotation.getSource() instanceof Method annotated ? annotated : called, called);
        OnRefusal onRefusal = annotation.getEnum("onRefusal", OnRefusal.class);
        refuseUnsupported(method, onRefusal);
        if (method.worksAfterReturn(called)) {
            report(method.misused(
                    "it returns " + called.getReturnType().getSimpleName()
                            + ", whose work happens after the method has returned:"
                            + " the lock would be released too early",
                    "Return a complete value or a CompletableFuture, or use LockTemplate inside of that work"));
        }
        String name = resolve(method, "name", annotation.getString("name"));
        String defaultName =
                annotation.getSource() instanceof Class<?> type ? LockedMethod.simpleName(type) : method.lockName();
        String condition = annotation.getString("condition");
        return new LockOperation(
                method,
                name.isEmpty() ? defaultName : name,
                keys(method, !name.isEmpty(), annotation.getStringArray("key")),
                segments(method, annotation.getInt("segments"), annotation.getString("segmentBy")),
                annotation.getEnum("mode", LockMode.class),
                condition.isEmpty() ? null : LockCondition.parse(condition, method, beans),
                options(method, annotation),
                new RefusedCalls(
                        onRefusal,
                        handler(method, onRefusal, resolve(method, "handler", annotation.getString("handler")))));
    }

    /** @throws LockConfigurationException unless such mistakes are only logged */
    void report(LockConfigurationException mistake) {
        strictness.report(mistake);
    }

    private @Nullable Segmentation segments(LockedMethod method, int segments, String by) {
        if (segments == 1 && by.isEmpty()) {
            return null;
        }
        if (segments < 2 || segments > SegmentedLock.MAX_SEGMENTS || by.isBlank()) {
            throw method.misused(
                    "it has segments = " + segments + " and segmentBy = \"" + by
                            + "\", which do not make a lock in segments",
                    "Give it from 2 to " + SegmentedLock.MAX_SEGMENTS
                            + " segments, and segmentBy = \"#argument\" for the value that"
                            + " chooses one; or leave out both");
        }
        return new Segmentation(segments, KeyExpression.parse(by, method, beans, strictness));
    }

    private @Nullable Supplier<LockRefusedHandler> handler(LockedMethod method, OnRefusal onRefusal, String bean) {
        if (bean.isEmpty()) {
            return null;
        }
        if (onRefusal == OnRefusal.SKIP) {
            throw method.misused("it has a handler, and skips refused calls", "Keep the handler or onRefusal = SKIP");
        }
        if (!beans.containsBean(bean) || !beans.isTypeMatch(bean, LockRefusedHandler.class)) {
            throw method.misused(
                    "its handler '" + bean + "' is no bean of type LockRefusedHandler",
                    "Correct the name of the bean, or define it");
        }
        return SingletonSupplier.of(() -> beans.getBean(bean, LockRefusedHandler.class));
    }

    private static void refuseUnsupported(LockedMethod method, OnRefusal onRefusal) {
        Class<?> type = method.returnType();
        if (onRefusal == OnRefusal.SKIP && type.isPrimitive() && type != void.class) {
            throw method.misused(
                    "a skipped call has no result to return, because the method returns the primitive type " + type,
                    "Return " + boxed(type) + " or an Optional, or use onRefusal = THROW");
        }
    }

    private static String boxed(Class<?> primitive) {
        return MethodType.methodType(primitive).wrap().returnType().getSimpleName();
    }

    private List<KeyExpression> keys(LockedMethod method, boolean named, String[] written) {
        if (written.length == 0 && !method.hasArguments()) {
            if (!named) {
                throw method.misused(
                        "it has neither a key nor a name",
                        "Name the lock that all its calls share: name = \"nightly\"");
            }
            return List.of();
        }
        if (written.length == 0 || hasBlank(written)) {
            throw method.misused(
                    written.length > 1
                            ? "one of its keys is blank"
                            : "it has no key, so that all calls would share one lock",
                    "Add key = \"#argument\"; if one lock for all calls is what you want, say so with a constant:"
                            + " key = \"'all'\"");
        }
        if (written.length > 1 && method.fence() != FencingParameter.NONE) {
            throw method.misused(
                    "it has a @FencingToken parameter and " + written.length
                            + " keys, but each of their locks has a token of its own",
                    "Leave out the parameter, and ask LockContext.current() for the lock of the key that is written"
                            + " to");
        }
        List<KeyExpression> keys = new ArrayList<>(written.length);
        for (String text : written) {
            keys.add(KeyExpression.parse(text, method, beans, strictness));
        }
        return List.copyOf(keys);
    }

    private static boolean hasBlank(String[] written) {
        for (String text : written) {
            if (text.isBlank()) {
                return true;
            }
        }
        return false;
    }

    private LockOptions options(LockedMethod method, MergedAnnotation<DistributedLock> annotation) {
        Duration waitTime = duration(method, "waitTime", annotation.getString("waitTime"));
        Duration ttl = duration(method, "ttl", annotation.getString("ttl"));
        Duration maxHold = duration(method, "maxHold", annotation.getString("maxHold"));
        try {
            return new LockOptions(
                    waitTime == null ? defaults.waitTime() : waitTime,
                    ttl == null ? defaults.ttl() : ttl,
                    maxHold == null ? defaults.maxHold() : maxHold,
                    defaults.interruptOnLoss(),
                    defaults.cancelWork(),
                    policy(method, annotation.getString("policy")),
                    minHold(method, annotation),
                    method.fence() != FencingParameter.NONE);
        } catch (IllegalArgumentException outOfRange) {
            throw method.misused(
                    String.valueOf(outOfRange.getMessage()), "Correct the duration in the annotation", outOfRange);
        }
    }

    private @Nullable Duration minHold(LockedMethod method, MergedAnnotation<DistributedLock> annotation) {
        Duration minHold = duration(method, "minHold", annotation.getString("minHold"));
        if (minHold != null && annotation.getEnum("mode", LockMode.class) != LockMode.EXCLUSIVE) {
            throw method.misused(
                    "it shares its lock and has a minHold, which is for locks that are held alone",
                    "Leave out one of them");
        }
        return minHold == null ? defaults.minHold() : minHold;
    }

    private @Nullable String policy(LockedMethod method, String written) {
        String name = resolve(method, "policy", written);
        if (name.isEmpty()) {
            return defaults.policy();
        }
        Set<String> known = policies.get();
        if (known != null && !known.contains(name)) {
            throw method.misused(
                    "its lock policy '" + name + "' does not exist",
                    (known.isEmpty() ? "There are no policies" : "The policies are " + String.join(", ", known))
                            + ". Correct the name, or define it in distributed-lock.policies." + name);
        }
        return name;
    }

    private @Nullable Duration duration(LockedMethod method, String attribute, String written) {
        String text = resolve(method, attribute, written);
        if (text.isEmpty()) {
            return null;
        }
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        String advice = "Write it like \"10s\", \"500ms\" or \"PT10S\", or as a placeholder for such a text";
        String shown = attribute + " = \"" + written + "\"" + (text.equals(written) ? "" : " (\"" + text + "\")");
        if (WITHOUT_UNIT.matcher(text).matches()) {
            throw method.misused(shown + " has no unit", advice);
        }
        try {
            return DurationFormatterUtils.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException unreadable) {
            throw method.misused(shown + " is not a duration", advice, unreadable);
        }
    }

    private String resolve(LockedMethod method, String attribute, String written) {
        String resolved;
        try {
            resolved = beans.resolveEmbeddedValue(written);
        } catch (IllegalArgumentException unknown) {
            throw unresolved(method, attribute, written, unknown);
        }
        if (resolved == null || resolved.contains("${") || resolved.isBlank() && !written.isEmpty()) {
            throw unresolved(method, attribute, written, null);
        }
        return resolved.strip();
    }

    private static LockConfigurationException unresolved(
            LockedMethod method, String attribute, String written, @Nullable Throwable cause) {
        return method.misused(
                attribute + " = \"" + written + "\" has no value",
                "Define the property that its placeholder names, or give it a default: \"${property:default}\"",
                cause);
    }
}
