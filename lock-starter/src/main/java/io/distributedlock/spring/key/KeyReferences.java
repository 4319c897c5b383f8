package io.distributedlock.spring.key;

import io.distributedlock.spring.method.FencingParameter;
import io.distributedlock.spring.method.LockedMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds names in a key expression that stand for nothing. SpEL takes an unknown variable for null without a word, so
 * that all callers would share the lock {@code order:null}.
 */
final class KeyReferences {

    private static final Set<String> ROOT_PROPERTIES = Set.of("methodName", "method", "target", "targetClass", "args");

    /** Words as a constant text has them, if its quotes are forgotten. */
    private static final Pattern WORDS = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_./: -]*");

    private final String expression;
    private final String text;
    private final LockedMethod method;
    private final BeanFactory beans;
    private final Set<String> variables;

    /** @param kind what messages call the expression: a key or a condition */
    KeyReferences(String kind, String text, LockedMethod method, BeanFactory beans) {
        this.expression = "the " + kind + " \"" + text + "\"";
        this.text = text;
        this.method = method;
        this.beans = beans;
        this.variables = Set.copyOf(variables(method));
    }

    private static List<String> variables(LockedMethod method) {
        List<String> known = new ArrayList<>(List.of("root", "this"));
        for (int i = 0; i < method.method().getParameterCount(); i++) {
            known.add("p" + i);
            known.add("a" + i);
        }
        List<String> names = method.parameterNames();
        known.addAll(names == null ? List.of() : names);
        return known;
    }

    void check(SpelNode node) {
        check(node, true, true);
    }

    /**
     * @param rootScope whether bare names are looked up in the root object, and not in the elements of a projection or
     *     selection
     * @param bare whether a name at this place would be a bare one, and not a property of what stands before its dot
     */
    private void check(SpelNode node, boolean rootScope, boolean bare) {
        if (node instanceof VariableReference || node instanceof FunctionReference) {
            checkVariable(node, rootScope);
        } else if (node instanceof BeanReference) {
            checkBean(node);
        } else if (bare && (node instanceof PropertyOrFieldReference || node instanceof MethodReference)) {
            checkBareName(node);
        }
        boolean childScope = rootScope && !(node instanceof Projection || node instanceof Selection);
        int first = node instanceof CompoundExpression && isWholeCall(node.getChild(0)) ? 1 : 0;
        for (int i = first; i < node.getChildCount(); i++) {
            check(node.getChild(i), childScope, childScope && isBare(node, i));
        }
    }

    private static boolean isWholeCall(SpelNode node) {
        return node.toStringAST().equals("#root") || node.toStringAST().equals("#this");
    }

    private static boolean isBare(SpelNode parent, int child) {
        if (parent instanceof CompoundExpression) {
            return child == 0 || child == 1 && isWholeCall(parent.getChild(0));
        }
        return !(parent instanceof Indexer || parent instanceof InlineMap);
    }

    private void checkVariable(SpelNode node, boolean rootScope) {
        String name = node.toStringAST().substring(1);
        if (isWholeCall(node) && rootScope) {
            throw method.misused(
                    expression + " uses " + node.toStringAST() + ", which is the whole call and has no text",
                    "Name what the lock is about: one of the parameters (" + parameters() + "), or #root.methodName");
        }
        if (isToken(name)) {
            throw method.misused(
                    expression + " uses #" + name + ", the @FencingToken, which is known only once the lock is held",
                    "Name what the lock is about by another parameter");
        }
        if (variables.contains(name)) {
            return;
        }
        if (method.parameterNames() == null) {
            throw method.misused(
                    expression + " uses #" + name + ", but " + method.className()
                            + " was compiled without -parameters, so the names of its parameters are unknown",
                    "Compile it with -parameters (Maven: <maven.compiler.parameters>true</maven.compiler.parameters>,"
                            + " Gradle: options.compilerArgs.add(\"-parameters\")), or name the argument by its"
                            + " position: #p0");
        }
        throw method.misused(
                expression + " uses #" + name + ", which is no parameter of the method",
                "Use one of its parameters (" + parameters() + "), or #root");
    }

    private boolean isToken(String name) {
        FencingParameter fence = method.fence();
        List<String> names = method.parameterNames();
        return fence.isAt(name) || fence.index() >= 0 && names != null && name.equals(names.get(fence.index()));
    }

    /** The text in quotes if it consists of words only, or else the example. */
    static String quoted(String text, String example) {
        return "'" + (WORDS.matcher(text).matches() ? text : example) + "'";
    }

    private String exampleArgument() {
        List<String> names = method.parameterNames();
        return names == null || names.isEmpty() ? "argument" : names.get(0);
    }

    private String parameters() {
        List<String> names = method.parameterNames();
        return names == null || names.isEmpty() ? "it has none" : "#" + String.join(", #", names);
    }

    private void checkBean(SpelNode node) {
        String name = node.toStringAST().replaceFirst("^@", "").replace("'", "");
        if (!beans.containsBean(name)) {
            throw method.misused(
                    expression + " uses the bean @" + name + ", but there is no bean of that name",
                    "Correct the name of the bean, or define it");
        }
    }

    private void checkBareName(SpelNode node) {
        String name = node.toStringAST();
        if (node instanceof MethodReference || !ROOT_PROPERTIES.contains(name)) {
            throw method.misused(
                    expression + " uses the bare name " + name + ", which is neither an argument nor a text",
                    variables.contains(name)
                            ? "Write an argument as \"#" + name + "\", a constant text as \"" + quoted(text, name)
                                    + "\""
                            : "Write a constant text as \"" + quoted(text, name) + "\", an argument as \"#"
                                    + exampleArgument() + "\", and a method of the bean itself as \"#root.target."
                                    + name + "\"");
        }
    }
}
