package com.example.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.distributedlock.LockClient;
import io.distributedlock.spring.LockConfigurationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A mistake in an annotation stops the start, with the method, the value and what to write instead. */
@ExtendWith(OutputCaptureExtension.class)
class PlantedMistakesTests {

    @EnableAutoConfiguration
    static class Shop {}

    private static final ApplicationContextRunner START = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues("distributed-lock.store=memory", "distributed-lock.shutdown.drain-time=0s");

    private static Stream<Arguments> mistakes() {
        return Stream.of(
                arguments(
                        Mistakes.BareParameter.class,
                        "pay(long)",
                        "bare name userId",
                        "Write an argument as \"#userId\""),
                arguments(Mistakes.MistypedParameter.class, "pay(long)", "#userid, which is no parameter", "(#userId)"),
                arguments(
                        Mistakes.BrokenExpression.class,
                        "pay(long)",
                        "\"'order:' #userId\" is not a SpEL",
                        "Correct the"),
                arguments(Mistakes.UnknownBean.class, "pay(long)", "there is no bean of that name", "or define it"),
                arguments(Mistakes.NoKey.class, "pay(long)", "it has no key", "Add key = \"#argument\""),
                arguments(
                        Mistakes.SpelledOutDuration.class, "pay(long)", "\"10 seconds\" is not a duration", "\"10s\""),
                arguments(Mistakes.DurationWithoutUnit.class, "pay(long)", "ttl = \"30\" has no unit", "\"10s\""),
                arguments(
                        Mistakes.UnknownPolicy.class, "pay(long)", "'databse' does not exist", "There are no policies"),
                arguments(Mistakes.UnknownHandler.class, "pay(long)", "'busy' is no bean", "or define it"),
                arguments(
                        Mistakes.SegmentsWithoutValue.class, "sell(long)", "segments = 8", "segmentBy = \"#argument\""),
                arguments(
                        Mistakes.TokenOfTwoLocks.class, "move(long, long, long)", "2 keys", "Leave out the parameter"),
                arguments(
                        Mistakes.BrokenCondition.class,
                        "pay(long, long)",
                        "\"#amount >\" is not a SpEL",
                        "#amount > 100"),
                arguments(Mistakes.SkippedPrimitive.class, "pay(long)", "primitive type int", "Return Integer"),
                arguments(Mistakes.PlainFuture.class, "pay(long)", "it returns Future", "Return CompletableFuture"),
                arguments(Mistakes.UnquotedWord.class, "report()", "bare name nightly", "\"'nightly'\""),
                arguments(Mistakes.UnquotedWords.class, "report()", "nightly-report", "\"'nightly-report'\""),
                arguments(Mistakes.Template.class, "pay(long)", "#{#userId}", "without #{ } around it"),
                arguments(
                        Mistakes.Placeholder.class,
                        "pay(long)",
                        "${spring.application.name}",
                        "@environment.getProperty"),
                arguments(
                        Mistakes.QuotedPlaceholder.class,
                        "report()",
                        "contains a placeholder",
                        "@environment.getProperty"),
                arguments(
                        Mistakes.MistypedProperty.class,
                        "pay(Request)",
                        "property usrId of a Request",
                        "Correct the name"),
                arguments(Mistakes.PrivateMethod.class, "pay(long)", "the method is private", "aspect.strict=false"),
                arguments(Mistakes.StaticMethod.class, "pay(long)", "the method is static", "aspect.strict=false"),
                arguments(Mistakes.FinalMethod.class, "pay(long)", "the method is final", "aspect.strict=false"),
                arguments(Mistakes.LateStream.class, "read(long)", "it returns Stream", "Return a complete value"),
                arguments(Mistakes.LateCallable.class, "read(long)", "it returns Callable", "Return a complete value"),
                arguments(
                        Mistakes.LateResponse.class, "read(long)", "StreamingResponseBody", "Return a complete value"),
                arguments(Mistakes.Sum.class, "move(long, long)", "nothing between them", "\"#from + ':' + #to\""),
                arguments(Mistakes.FinalClass.class, "FinalClass", "the class is final", "Remove 'final'"),
                arguments(
                        Mistakes.FinalClassWithInterface.class,
                        "FinalClassWithInterface",
                        "the class is final",
                        "kotlin-spring"),
                arguments(Mistakes.SharedWithMinimum.class, "read(long)", "has a minHold", "Leave out one of them"),
                arguments(
                        Mistakes.MissingProperty.class,
                        "pay(long)",
                        "\"${pay.ttl}\" has no value",
                        "Define the property"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeStopsTheStart(Class<?> bean, String place, String problem, String remedy) {
        START.withUserConfiguration(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .rootCause()
                    .satisfies(cause -> assertThat(context.getStartupFailure())
                            .hasStackTraceContaining(LockConfigurationException.class.getName())
                            .hasStackTraceContaining(place)
                            .hasStackTraceContaining(problem)
                            .hasStackTraceContaining(remedy));
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Mistakes.PrivateMethod.class, Mistakes.LateStream.class, Mistakes.Sum.class})
    void whereTheWayOutIsTakenItIsAWarning(Class<?> bean, CapturedOutput log) {
        START.withUserConfiguration(bean)
                .withPropertyValues("distributed-lock.aspect.strict=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).contains("@DistributedLock on " + bean.getName());
    }

    @Test
    void aJobThatWaitsForItsLockIsAWarning(CapturedOutput log) {
        START.withUserConfiguration(Mistakes.WaitingJob.class, Mistakes.ProperJob.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log)
                .contains("WaitingJob.run() runs the job on every server")
                .contains("Use @LockedJob(name = \"...\")")
                .doesNotContain("ProperJob.run()");
    }

    @Test
    void aMethodThatSpringCallsBeforeThereIsAProxyIsAWarning(CapturedOutput log) {
        START.withUserConfiguration(Mistakes.EarlyCall.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).contains("EarlyCall.load() has no effect when Spring calls it as @PostConstruct");
    }

    @Test
    void theAutoConfigurationCanBeExcluded() {
        new ApplicationContextRunner()
                .withUserConfiguration(Mistakes.WithoutLocks.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockClient.class));
    }

    @Test
    void theReportOfAFailedStartHasTheMistakeAndTheRemedyInPlaceOfAStackTrace(CapturedOutput log) {
        SpringApplication shop = new SpringApplicationBuilder(Shop.class, Mistakes.MistypedParameter.class)
                .web(WebApplicationType.NONE)
                .build();
        assertThatThrownBy(() -> shop.run("--distributed-lock.store=memory").close());
        assertThat(log)
                .contains("APPLICATION FAILED TO START")
                .containsPattern("(?s)Description:\\s+@DistributedLock on \\S+MistypedParameter\\.pay\\(long\\)")
                .containsPattern("(?s)Action:\\s+Use one of its parameters \\(#userId\\)")
                .doesNotContain("\tat ");
    }
}
