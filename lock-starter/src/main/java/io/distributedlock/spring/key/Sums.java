package io.distributedlock.spring.key;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.method.LockedMethod;
import io.distributedlock.spring.method.Strictness;
import java.util.ArrayList;
import java.util.List;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;

/**
 * Finds values that a key joins without a text between them: numbers are added, so that 1 and 2 share the lock of 0 and
 * 3, and texts run into each other, so that 1 and 23 share the lock of 12 and 3.
 */
final class Sums {

    private final String key;
    private final LockedMethod method;
    private final Strictness strictness;

    Sums(String key, LockedMethod method, Strictness strictness) {
        this.key = key;
        this.method = method;
        this.strictness = strictness;
    }

    /** @throws LockConfigurationException if two values are joined */
    void check(SpelNode node) {
        if (isSum(node)) {
            List<SpelNode> parts = new ArrayList<>();
            collect(node, parts);
            checkParts(parts);
        } else if (node instanceof Ternary || node instanceof Elvis || node instanceof InlineList) {
            for (int i = node instanceof Ternary ? 1 : 0; i < node.getChildCount(); i++) {
                check(node.getChild(i));
            }
        }
    }

    private void checkParts(List<SpelNode> parts) {
        SpelNode value = null;
        for (SpelNode part : parts) {
            if (part instanceof StringLiteral text) {
                value = isEmpty(text) ? value : null;
            } else if (!(part instanceof Literal)) {
                if (value != null) {
                    String left = value.toStringAST();
                    String right = part.toStringAST();
                    strictness.report(method.misused(
                            "the key \"" + key + "\" joins " + left + " and " + right
                                    + " with nothing between them, so that different values make the same key",
                            "Put a text between them: \"" + left + " + ':' + " + right + "\""));
                    return;
                }
                value = part;
            }
        }
    }

    private static boolean isEmpty(StringLiteral text) {
        return String.valueOf(text.getLiteralValue().getValue()).isEmpty();
    }

    private static void collect(SpelNode node, List<SpelNode> parts) {
        if (isSum(node)) {
            collect(node.getChild(0), parts);
            collect(node.getChild(1), parts);
        } else {
            parts.add(node);
        }
    }

    private static boolean isSum(SpelNode node) {
        return node instanceof OpPlus && node.getChildCount() == 2;
    }
}
