package io.distributedlock.spring.key;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.method.LockedMethod;
import io.distributedlock.spring.method.Strictness;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Finds properties of arguments, such as {@code #order.userId}, that their declared types do not have. A type
 * whose objects may have more than it declares, such as an interface, an abstract class or a type variable, is left to
 * the call.
 */
final class ArgumentPaths {

    private final String key;
    private final LockedMethod method;
    private final Strictness strictness;

    ArgumentPaths(String key, LockedMethod method, Strictness strictness) {
        this.key = key;
        this.method = method;
        this.strictness = strictness;
    }

    /** @throws LockConfigurationException if a property does not exist */
    void check(SpelNode node) {
        if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference argument) {
            ResolvableType type = typeOf(argument.toStringAST().substring(1));
            for (int i = 1; type != null && i < node.getChildCount(); i++) {
                type = node.getChild(i) instanceof PropertyOrFieldReference property ? follow(type, property) : null;
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(node.getChild(i));
        }
    }

    private @Nullable ResolvableType typeOf(String argument) {
        List<String> names = method.parameterNames();
        int count = method.method().getParameterCount();
        for (int i = 0; i < count; i++) {
            if (argument.equals("p" + i)
                    || argument.equals("a" + i)
                    || names != null && i < names.size() && argument.equals(names.get(i))) {
                return ResolvableType.forMethodParameter(new MethodParameter(method.method(), i));
            }
        }
        return null;
    }

    private @Nullable ResolvableType follow(ResolvableType owner, PropertyOrFieldReference property) {
        Class<?> type = owner.resolve();
        if (type == null || mayHaveMore(type)) {
            return null;
        }
        Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
        String name = property.getName();
        for (String getter : List.of(
                "get" + StringUtils.capitalize(name), "is" + StringUtils.capitalize(name), "get" + name, name)) {
            Method found = ClassUtils.getMethodIfAvailable(boxed, getter);
            if (found != null) {
                return ResolvableType.forType(found.getGenericReturnType(), owner.as(found.getDeclaringClass()));
            }
        }
        Field field = Arrays.stream(boxed.getFields())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElse(null);
        if (field == null) {
            strictness.report(method.misused(
                    "the key \"" + key + "\" uses the property " + name + " of a " + boxed.getSimpleName()
                            + ", which has no such property",
                    "Correct the name, or add a public getter"));
            return null;
        }
        return ResolvableType.forType(field.getGenericType(), owner.as(field.getDeclaringClass()));
    }

    private static boolean mayHaveMore(Class<?> type) {
        return type == Object.class
                || type == Optional.class
                || type.isArray()
                || !type.isPrimitive() && Modifier.isAbstract(type.getModifiers())
                || Map.class.isAssignableFrom(type);
    }
}
