package io.distributedlock.spring.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockOptions;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.OnRefusal;
import io.distributedlock.spring.method.ResultKind;
import io.distributedlock.spring.method.Strictness;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.scheduling.annotation.Async;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

class LockOperationReaderTests {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @ParameterizedTest
    @CsvSource({"10s,10000", "500ms,500", "PT10S,10000", "1m30s,90000", " 2s ,2000", "50ms,50"})
    void aTtlIsWrittenAsSpringWritesDurations(String ttl, long millis) {
        assertThat(read("ttl", ttl).options().ttl()).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0s", "PT0S"})
    void aWaitTimeOfZeroMeansOneTry(String waitTime) {
        assertThat(read("waitTime", waitTime).options().waitTime()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "10 sec", "s", "99999999999999999999s", "999999999999999999d", "10x"})
    void aTextThatIsNoDurationIsRefused(String ttl) {
        refused("ttl", ttl)
                .withMessageContaining(
                        "ttl = \"" + ttl + "\" is not a duration. Write it like \"10s\", \"500ms\" or \"PT10S\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "-1", "30000"})
    void aNumberWithoutAUnitIsRefused(String ttl) {
        refused("ttl", ttl).withMessageContaining("ttl = \"" + ttl + "\" has no unit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0s", "-1s", "10ms", "49ms", "366d", "9999999999999d"})
    void aTtlThatNoLeaseCanHaveIsRefused(String ttl) {
        refused("ttl", ttl).withMessageContaining("A lock's ttl must be from 50ms to 365d");
    }

    @Test
    void aNegativeWaitTimeIsRefused() {
        refused("waitTime", "-1s").withMessageContaining("A wait time must be from 0 (one try) to 365d");
    }

    @Test
    void aPlaceholderWithoutAValueIsRefused() {
        refused("ttl", "${no.such}").withMessageContaining("ttl = \"${no.such}\" has no value");
        StandardEnvironment environment = new StandardEnvironment();
        beans.addEmbeddedValueResolver(environment::resolveRequiredPlaceholders);
        refused("name", "${no.such}").withMessageContaining("name = \"${no.such}\" has no value");
        refused("name", "${no.such:}").withMessageContaining("name = \"${no.such:}\" has no value");
    }

    @Test
    void aPlaceholderForNoDurationShowsBothTexts() {
        beans.addEmbeddedValueResolver(text -> text.replace("${hold}", "long"));
        refused("ttl", "${hold}").withMessageContaining("ttl = \"${hold}\" (\"long\") is not a duration");
    }

    @Test
    void aMissingKeyIsRefusedRatherThanTakenForOneLockForAll() {
        refused("key", new String[0]).withMessageContaining("it has no key, so that all calls would share one lock");
        refused("key", new String[] {" "}).withMessageContaining("it has no key");
    }

    @Test
    void aMissingKeyAmongSeveralIsRefused() {
        refused("key", new String[] {"#id", " "}).withMessageContaining("one of its keys is blank");
        refused("key", new String[] {"#id", "#nobody"}).withMessageContaining("#nobody");
    }

    interface Later {
        CompletableFuture<String> future(String id);

        CompletionStage<String> stage(String id);

        Mono<String> mono(String id);

        Flux<String> flux(String id);

        Publisher<String> publisher(String id);

        Flow.Publisher<String> flow(String id);

        @Async
        Future<String> awaited(String id);

        String value(String id);

        Future<String> plainFuture(String id);

        FutureTask<String> task(String id);

        ParallelFlux<String> parallel(String id);

        IntStream stream(String id);

        Callable<String> callable(String id);
    }

    @ParameterizedTest
    @CsvSource({
        "future,STAGE",
        "stage,STAGE",
        "mono,SINGLE",
        "flux,STREAM",
        "publisher,STREAM",
        "flow,STREAM",
        "awaited,AWAITED",
        "value,VALUE"
    })
    void theReturnTypeTellsHowToSeeThatTheWorkIsDone(String method, ResultKind kind) throws NoSuchMethodException {
        Method later = Later.class.getDeclaredMethod(method, String.class);
        assertThat(read(later, Map.of("key", "#id")).method().result()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "plainFuture,'Return CompletableFuture or CompletionStage, or add @Async'",
        "task,'Return CompletableFuture or CompletionStage, or add @Async'",
        "parallel,'Return Publisher, Mono or Flux'",
        "stream,Return a complete value or a CompletableFuture",
        "callable,Return a complete value or a CompletableFuture"
    })
    void aResultWhoseEndCannotBeSeenIsRefused(String method, String advice) throws NoSuchMethodException {
        Method later = Later.class.getDeclaredMethod(method, String.class);
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> read(later, Map.of("key", "#id")))
                .withMessageContaining("it returns " + later.getReturnType().getSimpleName())
                .withMessageContaining("released too early")
                .withMessageContaining(advice);
    }

    interface Answers {
        void nothing(String id);

        String text(String id);

        Optional<String> optional(String id);

        OptionalInt number(String id);

        int primitive(String id);

        boolean flag(String id);
    }

    @Test
    void aSkippedCallGivesNullOrTheEmptyOptional() throws NoSuchMethodException {
        assertThat(skipping("nothing").nothing()).isNull();
        assertThat(skipping("text").nothing()).isNull();
        assertThat(skipping("optional").nothing()).isEqualTo(Optional.empty());
        assertThat(skipping("number").nothing()).isEqualTo(OptionalInt.empty());
    }

    @ParameterizedTest
    @CsvSource({"primitive,int,Integer", "flag,boolean,Boolean"})
    void aMethodThatReturnsAPrimitiveValueCannotBeSkipped(String method, String primitive, String boxed) {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> skipping(method))
                .withMessageContaining("the method returns the primitive type " + primitive)
                .withMessageContaining("Return " + boxed + " or an Optional, or use onRefusal = THROW");
    }

    interface Wide {
        @DistributedLock(key = "#id", onRefusal = OnRefusal.SKIP)
        Object find(String id);
    }

    static class Narrow implements Wide {
        @Override
        public Optional<String> find(String id) {
            return Optional.of(id);
        }
    }

    static class Asynchronous implements Wide {
        @Override
        public Future<String> find(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    @Test
    void whatTheImplementationReturnsCountsAndNotWhatItsInterfaceDoes() throws NoSuchMethodException {
        LockOperationSource source = new LockOperationSource(
                new LockOperationReader(beans, LockOptions.DEFAULTS, () -> null, Strictness.REFUSE), () -> true);
        assertThat(source.find(Wide.class.getMethod("find", String.class), Narrow.class))
                .singleElement()
                .satisfies(operation -> assertThat(operation.nothing()).isEqualTo(Optional.empty()));
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> source.hasLockedMethods(Asynchronous.class))
                .withMessageContaining("it returns Future");
    }

    private LockOperation skipping(String method) throws NoSuchMethodException {
        return read(
                Answers.class.getDeclaredMethod(method, String.class),
                Map.of("key", "#id", "onRefusal", OnRefusal.SKIP));
    }

    private ThrowableAssertAlternative<LockConfigurationException> refused(String attribute, Object value) {
        return assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> read(attribute, value))
                .withMessageStartingWith("@DistributedLock on " + Answers.class.getName() + ".nothing(String): ");
    }

    private LockOperation read(String attribute, Object value) {
        Map<String, Object> attributes = new HashMap<>(Map.of("key", "#id"));
        attributes.put(attribute, value);
        try {
            return read(Answers.class.getDeclaredMethod("nothing", String.class), attributes);
        } catch (NoSuchMethodException renamed) {
            throw new AssertionError(renamed);
        }
    }

    private LockOperation read(Method method, Map<String, ?> attributes) {
        return new LockOperationReader(beans, LockOptions.DEFAULTS, () -> null, Strictness.REFUSE)
                .read(method, MergedAnnotation.of(method, DistributedLock.class, attributes));
    }
}
