package io.distributedlock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of this module that a compiler does not know. */
class ArchitectureTest {

    private static final String BASE = "io.distributedlock";
    private static final String SPI = BASE + ".spi";
    private static final JavaClasses MAIN = classesBeside(LockClient.class);
    private static final JavaClasses TESTS = classesBeside(ArchitectureTest.class);

    private static final Pattern TIME_WORDS =
            Pattern.compile("(?i).*(milli|micro|nano|second|minute|timeout|duration|period|interval|delay|ttl|time).*");

    private static JavaClasses classesBeside(Class<?> type) {
        return new ClassFileImporter()
                .importUrl(type.getProtectionDomain().getCodeSource().getLocation());
    }

    @Test
    void aLayerKnowsOnlyTheLayersBelowIt() {
        assertThatLayerUsesOnly(SPI);
        assertThatLayerUsesOnly(BASE, SPI);
        assertThatLayerUsesOnly(BASE + ".memory", SPI);
        assertThatLayerUsesOnly(BASE + ".quorum", SPI);
        assertThatLayerUsesOnly(BASE + ".redis", SPI, "io.lettuce..", "io.netty..");
        assertThatLayerUsesOnly(BASE + ".reactive", BASE, "reactor..", "org.reactivestreams..");
    }

    private static void assertThatLayerUsesOnly(String layer, String... below) {
        String[] allowed = Stream.concat(Stream.of(layer, "java..", "org.jspecify.."), Stream.of(below))
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(layer)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .because(
                        "a store can only be exchanged, and the API be used without Redis, if nothing reaches past its layer")
                .allowEmptyShould(true)
                .check(MAIN);
    }

    @Test
    void noPackageIsPartOfACycle() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public String getDescription() {
                        return "packages";
                    }

                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return type.getPackageName().startsWith(BASE)
                                ? SliceIdentifier.of(type.getPackageName())
                                : SliceIdentifier.ignore();
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(MAIN);
    }

    @Test
    void theDriverIsKnownInOnePackageOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + ".redis")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty..")
                .check(MAIN);
    }

    @Test
    void whatIsPublicInTheBasePackageIsMeantForUsers() {
        List<String> published = MAIN.stream()
                .filter(type -> type.getPackageName().equals(BASE) && type.isTopLevelClass())
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getSimpleName)
                .sorted()
                .toList();
        assertThat(published)
                .containsExactly(
                        "AdaptiveTtl",
                        "LockClient",
                        "LockClientBuilder",
                        "LockContext",
                        "LockEvent",
                        "LockException",
                        "LockHandle",
                        "LockHealth",
                        "LockInterruptedException",
                        "LockListener",
                        "LockLostException",
                        "LockMonitor",
                        "LockNotAcquiredException",
                        "LockObserver",
                        "LockOptions",
                        "LockPolicy",
                        "LockReport",
                        "LockRequest",
                        "LockState",
                        "LockStatistics",
                        "LockTemplate",
                        "LockUnavailableException",
                        "LockedCall",
                        "LockedRun",
                        "LossReason",
                        "ReleaseMode",
                        "ReleasePolicy",
                        "SegmentedLock",
                        "TtlPolicy");
    }

    @Test
    void namesSayWhatATypeIs() {
        noClasses()
                .should()
                .haveNameMatching(".*[.$](\\w*[a-z0-9])?(Utils?|Manager|Impl|Helper|Abstract|V2)([A-Z]\\w*)?")
                .because("such a word says how code is arranged and not what it is for")
                .check(MAIN);
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        List<JavaPackage> packages =
                MAIN.stream().map(JavaClass::getPackage).distinct().toList();
        assertThat(packages).hasSizeGreaterThan(3).allMatch(each -> each.isAnnotatedWith(NullMarked.class));
    }

    @Test
    void timeComesFromAMonotonicClockOnly() {
        noClasses()
                .that()
                .doNotHaveSimpleName("SystemTimeline")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat(resideInAPackage("java.time..")
                        .and(describe(
                                "tell the wall clock",
                                type -> !type.isEquivalentTo(java.time.Duration.class)
                                        && !type.isAssignableTo(Exception.class))))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Date|Calendar|Timer|TimerTask)")
                .because("the wall clock may jump, and then a holder would believe in a lock that is over")
                .check(MAIN);
    }

    @Test
    void theClockIsReadInOnePlacePerComponent() {
        classes()
                .that()
                .containAnyMethodsThat(describe(
                        "read System.nanoTime()",
                        method -> method.getMethodCallsFromSelf().stream()
                                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(System.class)
                                        && call.getName().equals("nanoTime"))))
                .should()
                .haveSimpleName("SystemTimeline")
                .because("tests move time by hand, so everything else has to ask the timeline")
                .check(MAIN);
    }

    @Test
    void nothingSleeps() {
        noClasses()
                .should()
                .callMethodWhere(target(nameMatching("sleep")))
                .because("a sleep is either too short or too long: wait for a condition or use a timer")
                .check(MAIN);
        noClasses().should().callMethodWhere(target(nameMatching("sleep"))).check(TESTS);
    }

    @Test
    void oneClassWaitsForFutures() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Await.class.getName())
                .should()
                .callMethodWhere(describe("waits for a future", ArchitectureTest::waitsForAFuture))
                .because("everything else is asynchronous; the Redis package may read a future that is done, by join")
                .check(MAIN);
    }

    private static boolean waitsForAFuture(JavaCall<?> call) {
        boolean waits = List.of("get", "join").contains(call.getName())
                && call.getTargetOwner().isAssignableTo(Future.class);
        boolean isDoneInRedis =
                call.getName().equals("join") && call.getOriginOwner().getName().equals(BASE + ".redis.RedisLink");
        return waits && !isDoneInRedis;
    }

    @Test
    void noMethodIsSynchronizedAsAWhole() {
        noMethods()
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .because("whoever holds the object could stop the locks of everybody else")
                .check(MAIN);
    }

    @Test
    void nothingIsPrintedAndTheJdksLoggerIsUsed() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j..", "java.util.logging..", "org.apache.commons.logging..")
                .orShould()
                .callMethodWhere(target(nameMatching("printStackTrace")))
                .check(MAIN);
    }

    @Test
    void durationsInTheApiAreDurations() {
        List<String> bare = MAIN.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::reflect)
                .flatMap(type -> Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods())))
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                .filter(ArchitectureTest::countsTimeInNumbers)
                .map(Executable::toString)
                .toList();
        assertThat(bare).isEmpty();
    }

    private static boolean countsTimeInNumbers(Executable each) {
        boolean given = Arrays.stream(each.getParameters()).anyMatch(ArchitectureTest::isTimeInNumbers);
        boolean returned = each instanceof Method method
                && isNumber(method.getReturnType())
                && TIME_WORDS.matcher(method.getName()).matches();
        return given || returned;
    }

    private static boolean isTimeInNumbers(Parameter parameter) {
        boolean named = isNumber(parameter.getType())
                && (!parameter.isNamePresent()
                        || TIME_WORDS.matcher(parameter.getName()).matches());
        return named || parameter.getType() == TimeUnit.class;
    }

    private static boolean isNumber(Class<?> type) {
        return List.of(long.class, int.class, double.class, Long.class, Integer.class)
                .contains(type);
    }
}
