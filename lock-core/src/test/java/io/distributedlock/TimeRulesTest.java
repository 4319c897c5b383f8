package io.distributedlock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static io.distributedlock.ModuleClasses.BASE;
import static io.distributedlock.ModuleClasses.MAIN;
import static io.distributedlock.ModuleClasses.TESTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.distributedlock.internal.support.Await;
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
import org.junit.jupiter.api.Test;

/** The rules of this module about time: who reads the clock, who may wait, and what a time is. */
class TimeRulesTest {

    private static final Pattern TIME_WORDS =
            Pattern.compile("(?i).*(milli|micro|nano|second|minute|timeout|duration|period|interval|delay|ttl|time).*");

    @Test
    void timeComesFromAMonotonicClockOnly() {
        noClasses()
                .that()
                .haveNameNotMatching(
                        ".*\\.(SystemScheduler|ClientIdentity|RosterLine|IncidentLine|LockReport\\$Incident)")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat(resideInAPackage("java.time..")
                        .and(describe(
                                "tell the wall clock",
                                type -> !type.isEquivalentTo(java.time.Duration.class)
                                        && !type.isAssignableTo(Exception.class))))
                .because(
                        "the wall clock may jump, and then a holder would believe in a lock that is over;"
                                + " when a process was started, or something went wrong, is for people, and nothing is decided by it")
                .check(MAIN);
        noClasses()
                .should()
                .callMethodWhere(describe(
                        "reads a clock of java.time",
                        call -> call.getName().equals("now")
                                && call.getTargetOwner().getPackageName().startsWith("java.time")))
                .because("no exception above is one for reading a clock")
                .check(MAIN);
        noClasses()
                .that()
                .doNotHaveSimpleName("LockRequest")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Date|Calendar|Timer|TimerTask)")
                .because("they tell the wall clock; only a request knows them, to refuse them as keys")
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
                .haveSimpleName("SystemScheduler")
                .because("tests move time by hand, so everything else has to ask the scheduler")
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
                .callMethodWhere(describe("waits for a future", TimeRulesTest::waitsForAFuture))
                .because("everything else is asynchronous; the Redis package may read a future that is done, by join")
                .check(MAIN);
    }

    private static boolean waitsForAFuture(JavaCall<?> call) {
        boolean waits = List.of("get", "join").contains(call.getName())
                && call.getTargetOwner().isAssignableTo(Future.class);
        boolean isDoneInRedis = call.getName().equals("join")
                && call.getOriginOwner().getName().equals(BASE + ".redis.ClientConnection");
        return waits && !isDoneInRedis;
    }

    @Test
    void noMethodIsSynchronizedAsAWhole() {
        noMethods()
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .because("the caller that holds the object could stop the locks of everybody else")
                .check(MAIN);
    }

    @Test
    void durationsInTheApiAreDurations() {
        List<String> bare = MAIN.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getPackageName().contains(".internal"))
                .filter(type -> !type.getPackageName().startsWith(BASE + ".redis."))
                .map(JavaClass::reflect)
                .flatMap(type -> Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods())))
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                .filter(TimeRulesTest::countsTimeInNumbers)
                .map(Executable::toString)
                .toList();
        assertThat(bare).isEmpty();
    }

    private static boolean countsTimeInNumbers(Executable each) {
        boolean given = Arrays.stream(each.getParameters()).anyMatch(TimeRulesTest::isTimeInNumbers);
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
