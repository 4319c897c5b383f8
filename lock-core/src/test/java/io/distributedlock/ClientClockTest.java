package io.distributedlock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URL;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The wall clock of the client jumps. Code that never looks at it can't notice; one class does, and asks the store when
 * it sees a jump.
 */
class ClientClockTest {

    /** Everything in the JDK that reads the wall clock, or waits by it, and could be used by mistake. */
    private static final Set<String> WALL_CLOCK = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.util.Date.<init>",
            "java.util.Calendar.getInstance",
            "java.util.Timer.schedule",
            "java.util.Timer.scheduleAtFixedRate",
            "java.util.concurrent.locks.LockSupport.parkUntil",
            "java.util.concurrent.locks.Condition.awaitUntil");

    /**
     * The timeline gives the wall clock to the one class that compares the clocks; what that class does is held by its
     * own test.
     */
    private static final ArchRule NO_TYPE_READS_THE_WALL_CLOCK = noClasses()
            .that()
            .doNotHaveSimpleName("SystemScheduler")
            .should()
            .accessTargetWhere(new DescribedPredicate<JavaAccess<?>>("it reads the wall clock") {
                @Override
                public boolean test(JavaAccess<?> access) {
                    return access.getTarget() instanceof CodeUnitAccessTarget
                            && isWallClock(
                                    access.getTargetOwner().getFullName(),
                                    access.getTarget().getName());
                }
            });

    private static boolean isWallClock(String type, String method) {
        return WALL_CLOCK.contains(type + "." + method)
                || (type.startsWith("java.time.") && method.equals("now"))
                || (type.equals("java.time.Clock") && !method.equals("toString"));
    }

    /** The names in the class files suffice; to look up the classes of the JDK behind them takes seconds. */
    private static JavaClasses imported(Function<ClassFileImporter, JavaClasses> way) {
        return ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return way.apply(new ClassFileImporter());
        });
    }

    @Test
    void f31NoClassReadsTheWallClockOfTheClient() {
        URL main = LockClient.class.getProtectionDomain().getCodeSource().getLocation();
        JavaClasses classes = imported(importer -> importer.importUrl(main));
        assertThat(classes.contain(LockClient.class)).isTrue();
        assertThat(classes.contain("io.distributedlock.redis.RedisLockStore")).isTrue();
        NO_TYPE_READS_THE_WALL_CLOCK.check(classes);
    }

    /** A rule that finds nothing proves nothing, unless it finds what is there. */
    /** A suspension only triggers another look, and the date of an incident is for people: neither decides anything. */
    @Test
    void f31OnlySuspensionsAndDatesOfIncidentsComeFromTheWallClock() {
        JavaClasses classes = imported(importer -> importer.importUrl(
                LockClient.class.getProtectionDomain().getCodeSource().getLocation()));
        noClasses()
                .that()
                .doNotHaveSimpleName("SuspendDetector")
                .and()
                .doNotHaveSimpleName("IncidentLog")
                .should()
                .accessTargetWhere(new DescribedPredicate<JavaAccess<?>>("it asks for the wall clock") {
                    @Override
                    public boolean test(JavaAccess<?> access) {
                        return access.getTarget().getName().equals("wallClock");
                    }
                })
                .check(classes);
    }

    @Test
    void f31TheRuleWouldFindAClassThatDoes() {
        for (Class<?> culprit : List.of(Millis.class, Instants.class, Dates.class, Sleeper.class)) {
            assertThat(NO_TYPE_READS_THE_WALL_CLOCK
                            .evaluate(imported(importer -> importer.importClasses(culprit)))
                            .hasViolation())
                    .as(culprit.getSimpleName())
                    .isTrue();
        }
    }

    private static final class Millis {

        long now() {
            return System.currentTimeMillis();
        }
    }

    private static final class Instants {

        Instant now() {
            return Instant.now();
        }
    }

    private static final class Dates {

        Date now() {
            return new Date();
        }
    }

    private static final class Sleeper {

        void until(long deadline) {
            LockSupport.parkUntil(deadline);
        }
    }
}
