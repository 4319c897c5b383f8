package io.distributedlock.spring;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;

@AnalyzeClasses(packages = "io.distributedlock.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String SPRING = "io.distributedlock.spring";
    private static final Set<String> INSIDE =
            Set.of(SPRING + ".method", SPRING + ".key", SPRING + ".metadata", SPRING + ".call");
    private static final String[] ANNOTATION =
            Stream.concat(Stream.of(SPRING), INSIDE.stream()).toArray(String[]::new);
    private static final String AUTOCONFIGURE = "io.distributedlock.spring.autoconfigure..";

    @ArchTest
    static final ArchRule theAnnotationKnowsTheApiAndSpringButNeitherBootNorAStore = classes()
            .that()
            .resideInAnyPackage(ANNOTATION)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java..",
                            "org.jspecify..",
                            "org.aopalliance..",
                            "org.apache.commons.logging",
                            "org.reactivestreams",
                            "reactor.core..")
                    .or(resideInAnyPackage(
                            "io.distributedlock", "io.distributedlock.spi", "io.distributedlock.reactive"))
                    .or(resideInAnyPackage(ANNOTATION))
                    .or(resideInAPackage("org.springframework..")
                            .and(not(resideInAnyPackage("org.springframework.boot..", "org.springframework.data..")))))
            .because("a store or a version of Boot must be replaceable without touching the annotation");

    @ArchTest
    static final ArchRule theRoomsOfTheAnnotationKnowEachOtherInOneDirection = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("annotation")
            .definedBy(SPRING)
            .layer("method")
            .definedBy(SPRING + ".method")
            .layer("key")
            .definedBy(SPRING + ".key")
            .layer("metadata")
            .definedBy(SPRING + ".metadata")
            .layer("call")
            .definedBy(SPRING + ".call")
            .whereLayer("call")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("metadata")
            .mayOnlyBeAccessedByLayers("call")
            .whereLayer("key")
            .mayOnlyBeAccessedByLayers("metadata", "call")
            .whereLayer("method")
            .mayOnlyBeAccessedByLayers("key", "metadata", "call");

    @ArchTest
    static final ArchRule metersKnowTheApiAndMicrometer = classes()
            .that()
            .resideInAPackage(SPRING + ".metrics")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "org.jspecify..", "io.distributedlock", SPRING + ".metrics", "io.micrometer..")
            .because("an integration sees the client and what happens to its locks, and no other integration");

    @ArchTest
    static final ArchRule theActuatorsPartKnowsTheApiAndTheActuator = classes()
            .that()
            .resideInAPackage(SPRING + ".actuate")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "org.apache.commons.logging",
                    "io.distributedlock",
                    SPRING + ".actuate",
                    "org.springframework.context",
                    "org.springframework.core.io",
                    "org.springframework.lang",
                    "org.springframework.util",
                    "org.springframework.boot.actuate..",
                    "org.springframework.boot.health..")
            .because("an integration sees the client and what happens to its locks, and no other integration");

    @ArchTest
    static final ArchRule noCallerImportsTheAutoConfiguration = noClasses()
            .that()
            .resideOutsideOfPackage(AUTOCONFIGURE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(AUTOCONFIGURE)
            .because("it wires the others and is wired by no caller");

    @ArchTest
    static final ArchRule theAutoConfigurationNamesNoClassThatOnlyOneGenerationOfBootHas = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework.boot.data..", "org.springframework.boot.autoconfigure.data..")
            .because("one jar runs in Boot 3.5 and in Boot 4.1, where these classes have moved");

    @ArchTest
    static final ArchRule theAutoConfigurationIsNoApi = classes()
            .that()
            .resideInAPackage(SPRING + ".autoconfigure")
            .and()
            .haveSimpleNameNotEndingWith("AutoConfiguration")
            .should()
            .notBePublic()
            .because(
                    "properties and beans are the way to change it; applications may exclude or import what is public");

    @ArchTest
    static final ArchRule whatConcernsTransactionsKnowsTheApiAndTransactionsAlone = classes()
            .that()
            .resideInAPackage(SPRING + ".transaction")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "org.apache.commons.logging",
                    "io.distributedlock",
                    SPRING + ".transaction",
                    "org.springframework.transaction.."))
            .because("an application without transactions has none of these classes");

    @ArchTest
    static final ArchRule theDatabasesPartKnowsNothingOfLocks = classes()
            .that()
            .resideInAPackage(SPRING + ".jdbc")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    SPRING + ".jdbc",
                    "org.springframework.jdbc..",
                    "org.springframework.dao..")
            .because("a token is a number, and an application without a database has none of these classes");

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("io.distributedlock.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule classConditionsStandOnClasses = methods()
            .should()
            .notBeAnnotatedWith(ConditionalOnClass.class)
            .andShould()
            .notBeAnnotatedWith(ConditionalOnMissingClass.class)
            .because("the class is loaded to read its methods, and then the missing one is already needed");

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = noClasses()
            .should()
            .haveSimpleNameEndingWith("Impl")
            .orShould()
            .haveNameMatching(".*(Utils?|Manager|Helper|Abstract|V2).*");

    @ArchTest
    static void theApiIsExactlyThese(JavaClasses classes) {
        Set<String> api = classes.stream()
                .filter(modifier(JavaModifier.PUBLIC))
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !INSIDE.contains(type.getPackageName())
                        && !type.getPackageName().startsWith(SPRING + ".autoconfigure.")
                        && !type.getSimpleName().endsWith("AutoConfiguration"))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toSet());
        assertThat(api)
                .containsExactlyInAnyOrder(
                        "DistributedLock",
                        "LockedJob",
                        "DistributedLocks",
                        "FencingToken",
                        "IdentityDetail",
                        "FencedRows",
                        "StaleTokenException",
                        "OnRefusal",
                        "LockRefusal",
                        "LockRefusedHandler",
                        "LockConfigurationException",
                        "LockConnectionFactory",
                        "LockExceptionHandler",
                        "CommitGuard",
                        "InsideTransaction",
                        "TransactionReleasePolicy",
                        "LockMetrics",
                        "LockObservations",
                        "LocksEndpoint",
                        "LockConsoleEndpoint",
                        "LockIncidents",
                        "ReleasingLocksEndpoint",
                        "HeldHere",
                        "LockHealthIndicator");
    }

    @ArchTest
    static void everyPackageSaysWhatItIsForAndMarksItsNullness(JavaClasses classes) {
        assertThat(classes.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allMatch(ArchitectureTests::isNullMarked);
    }

    private static boolean isNullMarked(JavaPackage javaPackage) {
        return javaPackage.isAnnotatedWith(NullMarked.class);
    }
}
