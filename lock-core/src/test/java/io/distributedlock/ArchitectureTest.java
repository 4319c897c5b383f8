package io.distributedlock;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.distributedlock.ModuleClasses.BASE;
import static io.distributedlock.ModuleClasses.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of this module that a compiler does not know. */
class ArchitectureTest {

    private static final String SPI = BASE + ".spi";

    @Test
    void aLayerKnowsOnlyTheLayersBelowIt() {
        assertThatLayerUsesOnly(SPI);
        assertThatLayerUsesOnly(BASE, SPI);
        assertThatLayerUsesOnly(BASE + ".memory", SPI);
        assertThatLayerUsesOnly(BASE + ".quorum", SPI);
        assertThatLayerUsesOnly(BASE + ".redis", SPI, "io.lettuce..", "io.netty..", "reactor.core..");
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
                        "LockId",
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
}
