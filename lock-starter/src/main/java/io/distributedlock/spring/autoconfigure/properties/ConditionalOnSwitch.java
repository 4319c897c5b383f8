package io.distributedlock.spring.autoconfigure.properties;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless one of these properties is set to a value that means no, such as {@code false} or {@code off}. Spring
 * Boot has a condition like it since 3.5 only, and ignores one that it does not know.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnSwitch.OnSwitch.class)
public @interface ConditionalOnSwitch {

    /** Names of properties. */
    String[] value();

    /** Reads them. */
    final class OnSwitch extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata annotated) {
            Map<String, Object> attributes =
                    Objects.requireNonNull(annotated.getAnnotationAttributes(ConditionalOnSwitch.class.getName()));
            List<String> off = Arrays.stream((String[]) Objects.requireNonNull(attributes.get("value")))
                    .filter(name -> !context.getEnvironment().getProperty(name, Boolean.class, true))
                    .toList();
            ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitch.class);
            return off.isEmpty()
                    ? ConditionOutcome.match(message.because("nothing is switched off"))
                    : ConditionOutcome.noMatch(message.because(String.join(", ", off) + " is off"));
        }
    }
}
