package io.distributedlock.spring.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockOptions;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.FencingToken;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.LockedJob;
import io.distributedlock.spring.OnRefusal;
import io.distributedlock.spring.key.KeyExpression;
import io.distributedlock.spring.method.Strictness;
import jakarta.annotation.PostConstruct;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.samples.Clinic;
import org.springframework.scheduling.annotation.Scheduled;

@ExtendWith(OutputCaptureExtension.class)
class LockOperationSourceTests {

    private final LockOperationSource source = new LockOperationSource(
            new LockOperationReader(beans(), LockOptions.DEFAULTS, () -> null, Strictness.REFUSE), () -> true);

    private static DefaultListableBeanFactory beans() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("team", "north", "hold", "7s")));
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.addEmbeddedValueResolver(environment::resolveRequiredPlaceholders);
        return beans;
    }

    static class Defaults {
        @DistributedLock(key = "#id")
        void place(String id) {}

        void free(String id) {}
    }

    @Test
    void whatTheAnnotationLeavesOutIsTheDefault() {
        LockOperation operation = operation(Defaults.class, "place");
        assertThat(operation.name()).isEqualTo("Defaults.place");
        assertThat(operation.options()).isEqualTo(LockOptions.DEFAULTS);
        assertThat(operation.answersRefusals()).isFalse();
    }

    @Test
    void aMethodWithoutTheAnnotationHasNoLock() {
        assertThat(operation(Defaults.class, "free")).isNull();
        assertThat(source.hasLockedMethods(Object.class)).isFalse();
    }

    @Test
    void anApplicationInTheNameSpaceOfSpringsSamplesMayHaveLocks() {
        assertThat(operation(Clinic.class, "visit")).isNotNull();
        assertThat(source.hasLockedMethods(Clinic.class)).isTrue();
        assertThat(source.hasLockedMethods(Clinic.class.getSuperclass())).isFalse();
    }

    static class Full {
        @DistributedLock(
                name = "${team}-orders",
                key = "#id",
                ttl = "${hold}",
                maxHold = "1m",
                waitTime = "PT0.5S",
                onRefusal = OnRefusal.SKIP)
        void place(String id) {}
    }

    @Test
    void placeholdersAndDurationsAreResolvedWhenTheClassIsRead() {
        LockOperation operation = operation(Full.class, "place");
        assertThat(operation.name()).isEqualTo("north-orders");
        assertThat(operation.options())
                .isEqualTo(new LockOptions(
                        Duration.ofMillis(500),
                        Duration.ofSeconds(7),
                        Duration.ofMinutes(1),
                        false,
                        false,
                        null,
                        null,
                        false));
        assertThat(operation.answersRefusals()).isTrue();
    }

    interface Orders<T> {
        @DistributedLock(key = "#order")
        void save(T order);
    }

    static class JpaOrders implements Orders<String> {
        @Override
        public void save(String renamed) {}
    }

    @Test
    void theAnnotationOfAnInterfaceCountsWithTheNamesWrittenThere() {
        LockOperation operation = operation(JpaOrders.class, "save");
        assertThat(operation.name()).isEqualTo("Orders.save");
        assertThat(operation.method().parameterNames()).containsExactly("order");
    }

    @Test
    void theMethodOfTheInterfaceLeadsToTheSameOperation() throws NoSuchMethodException {
        Method ofInterface = Orders.class.getMethod("save", Object.class);
        assertThat(source.find(ofInterface, JpaOrders.class)).first().isSameAs(operation(JpaOrders.class, "save"));
    }

    @Test
    void anImplementationMadeByAJdkProxyIsLockedByItsInterface() throws NoSuchMethodException {
        Object repository = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Orders.class}, (proxy, method, args) -> null);
        assertThat(source.find(Orders.class.getMethod("save", Object.class), repository.getClass()))
                .isNotEmpty();
    }

    static class SpecialDefaults extends Defaults {
        @Override
        void place(String id) {}
    }

    @Test
    void anOverridingMethodKeepsTheLockOfItsSuperclass() {
        assertThat(operation(SpecialDefaults.class, "place").name()).isEqualTo("Defaults.place");
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(
            name = "account",
            key = {},
            ttl = "10s")
    @interface AccountLock {
        @AliasFor(annotation = DistributedLock.class)
        String[] key();

        @AliasFor(annotation = DistributedLock.class, attribute = "waitTime")
        String patience() default "1s";
    }

    static class Accounts {
        @AccountLock(key = "#id", patience = "3s")
        void close(String id) {}
    }

    @Test
    void anAnnotationMadeOfItCanRenameItsAttributes() {
        LockOperation operation = operation(Accounts.class, "close");
        assertThat(operation.name()).isEqualTo("account");
        assertThat(operation.options())
                .isEqualTo(new LockOptions(
                        Duration.ofSeconds(3), Duration.ofSeconds(10), null, false, false, null, null, false));
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock
    @interface TenantLock {
        @AliasFor(annotation = DistributedLock.class, attribute = "value")
        String[] tenant();
    }

    static class Short {
        @DistributedLock("#id")
        void close(String id) {}

        @TenantLock(tenant = "#id")
        void open(String id) {}
    }

    @Test
    void theKeyCanStandAloneAlsoInAnAnnotationMadeOfIt() {
        for (String method : List.of("close", "open")) {
            LockOperation operation = operation(Short.class, method);
            assertThat(request(operation, "7").keys()).containsExactly("7");
        }
    }

    static class Nightly {
        @DistributedLock(name = "nightly")
        void run() {}

        @DistributedLock(name = "nightly")
        void fenced(@FencingToken long token) {}
    }

    @Test
    void theNameIsTheLockOfAMethodWithoutParameters() {
        assertThat(request(operation(Nightly.class, "run"))).isEqualTo(LockRequest.of("nightly"));
        assertThat(request(operation(Nightly.class, "fenced"), 0L))
                .isEqualTo(LockRequest.of("nightly").withFencing());
    }

    static class Nameless {
        @DistributedLock
        void run() {}
    }

    static class Keyless {
        @DistributedLock(name = "orders")
        void place(String id) {}
    }

    @Test
    void aLockWithoutKeyIsRefusedForAMethodWithParametersAndOneWithoutANameForAll() {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> source.hasLockedMethods(Nameless.class))
                .withMessageContaining("it has neither a key nor a name. Name the lock that all its calls share");
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> source.hasLockedMethods(Keyless.class))
                .withMessageContaining("it has no key, so that all calls would share one lock");
    }

    private static LockRequest request(LockOperation operation, Object... arguments) {
        return operation.request(new KeyExpression.Call(operation.method().method(), null, arguments));
    }

    static class Twice {
        @AccountLock(key = "#from")
        @DistributedLock(key = "#to")
        void move(String from, String to) {}
    }

    @Test
    void twoAnnotationsOnOneMethodAreRefusedRatherThanOneIgnored() {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> source.hasLockedMethods(Twice.class))
                .withMessageContaining("Twice.move(String, String): the method has it more than once");
    }

    static class Nested {
        @DistributedLock(name = "outer", key = "#from")
        @DistributedLock(name = "inner", key = "#to")
        void move(String from, String to) {}
    }

    @Test
    void theAnnotationCanStandSeveralTimesOutermostFirst() throws NoSuchMethodException {
        Method move = Nested.class.getDeclaredMethod("move", String.class, String.class);
        assertThat(source.find(move, Nested.class))
                .extracting(LockOperation::name)
                .containsExactly("outer", "inner");
    }

    static class NestedWithToken {
        @DistributedLock(name = "outer", key = "#from")
        @DistributedLock(name = "inner", key = "#from")
        void move(String from, @FencingToken long token) {}
    }

    @Test
    void oneParameterForTheTokensOfSeveralLocksIsRefused() {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> source.hasLockedMethods(NestedWithToken.class))
                .withMessageContaining("it has a @FencingToken parameter and 2 locks");
    }

    static class Hidden {
        @DistributedLock(key = "#id")
        private void call(String id) {}
    }

    static class Static {
        @DistributedLock(key = "#id")
        static void call(String id) {}
    }

    static class Sealed {
        @DistributedLock(key = "#id")
        final void call(String id) {}
    }

    @ParameterizedTest
    @CsvSource({"Hidden,private", "Static,static", "Sealed,final"})
    void aMethodThatNoProxyCanInterceptIsRefusedOrNamedInTheLog(String name, String hindrance, CapturedOutput output)
            throws ClassNotFoundException {
        Class<?> type = Class.forName(getClass().getName() + "$" + name);
        String problem = "call(String): the method is " + hindrance + ", so no proxy can intercept its calls. Remove '"
                + hindrance + "', or use LockTemplate";
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> source.hasLockedMethods(type))
                .withMessageContaining(problem);
        LockOperationSource lenient = new LockOperationSource(
                new LockOperationReader(beans(), LockOptions.DEFAULTS, () -> null, Strictness.WARN), () -> true);
        assertThat(lenient.hasLockedMethods(type)).isEqualTo(hindrance.equals("final"));
        assertThat(output).contains(problem);
    }

    @DistributedLock(key = "'all'")
    static class Partly {
        public final void closed() {}

        public void open() {}
    }

    @Test
    void aFinalMethodOfAnAnnotatedClassIsNamedInTheLogOnly(CapturedOutput output) {
        assertThat(source.hasLockedMethods(Partly.class)).isTrue();
        assertThat(output).contains("Partly.closed(): the method is final").doesNotContain("Partly.open()");
    }

    static class Jobs {
        @Scheduled(fixedRate = 1000)
        @DistributedLock(name = "waiting")
        void waiting() {}

        @Scheduled(fixedRate = 1000)
        @DistributedLock(name = "trying", waitTime = "0")
        void trying() {}

        @Scheduled(fixedRate = 1000)
        @LockedJob(name = "job", minHold = "5m")
        void job() {}

        @PostConstruct
        @DistributedLock(name = "start")
        void start() {}
    }

    @Test
    void aScheduledMethodThatWaitsAndAPostConstructMethodAreNamedInTheLogOnce(CapturedOutput output) {
        source.hasLockedMethods(Jobs.class);
        source.hasLockedMethods(Jobs.class);
        assertThat(output)
                .containsOnlyOnce("Jobs.waiting() runs the job on every server, one after the other")
                .contains("Use @LockedJob(name = \"...\")")
                .contains("Jobs.start() has no effect when Spring calls it as @PostConstruct")
                .doesNotContain("Jobs.trying()")
                .doesNotContain("Jobs.job()");
    }

    @Test
    void aLockedJobIsSkippedAtOnceWhileItsNameIsLocked() {
        LockOperation job = operation(Jobs.class, "job");
        assertThat(request(job).keys()).isEqualTo(LockRequest.of("job").keys());
        assertThat(job.name()).isEqualTo("job");
        assertThat(job.answersRefusals()).isTrue();
        assertThat(job.options().waitTime()).isZero();
        assertThat(job.options().minHold()).isEqualTo(Duration.ofMinutes(5));
    }

    static final class Closed {
        @DistributedLock(key = "#id")
        void place(String id) {}
    }

    record Entry(String account) {
        @DistributedLock(key = "#id")
        void place(String id) {}
    }

    interface Place {
        void place(String id);
    }

    static final class ClosedPlace implements Place {
        @Override
        @DistributedLock(key = "#id")
        public void place(String id) {}
    }

    @Test
    void aFinalClassWithAnInterfaceIsLockedWhereProxiesImplementInterfaces() {
        LockOperationSource byInterface = new LockOperationSource(
                new LockOperationReader(beans(), LockOptions.DEFAULTS, () -> null, Strictness.REFUSE), () -> false);
        assertThat(byInterface.hasLockedMethods(ClosedPlace.class)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {Closed.class, Entry.class, ClosedPlace.class})
    void aFinalClassIsRefused(Class<?> type) {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> source.hasLockedMethods(type))
                .withMessageContaining("place(String): the class is final, so no proxy can stand before it")
                .withMessageContaining("in Kotlin");
    }

    private LockOperation operation(Class<?> type, String method) {
        return source
                .find(
                        Arrays.stream(type.getDeclaredMethods())
                                .filter(candidate -> candidate.getName().equals(method) && !candidate.isBridge())
                                .findFirst()
                                .orElseThrow(),
                        type)
                .stream()
                .findFirst()
                .orElse(null);
    }
}
