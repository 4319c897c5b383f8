package com.example.shop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A test for machines that have these programs; elsewhere it is skipped, with a line that says what is missing. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsPrograms.IfInstalled.class)
public @interface NeedsPrograms {

    Program[] value();

    class IfInstalled implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Optional<String> missing = AnnotationSupport.findAnnotation(
                            context.getRequiredTestClass(), NeedsPrograms.class)
                    .flatMap(needs -> Arrays.stream(needs.value())
                            .filter(program -> program.find().isEmpty())
                            .findFirst())
                    .map(program -> "Skipped " + context.getDisplayName() + ": " + program.advice());
            missing.ifPresent(System.out::println);
            return missing.map(ConditionEvaluationResult::disabled)
                    .orElseGet(() -> ConditionEvaluationResult.enabled("all programs are installed"));
        }
    }
}
