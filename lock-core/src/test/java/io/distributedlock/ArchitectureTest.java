package io.distributedlock;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.distributedlock.ModuleClasses.BASE;
import static io.distributedlock.ModuleClasses.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of this module that a compiler does not know. */
class ArchitectureTest {

    private static final long MOST_LINES = 22_100;

    /** With its package-info.java. A reader takes in so many at once. */
    @Test
    void aPackageHasAtMost25FilesAndTheApi32() throws IOException {
        for (String module : List.of("lock-core", "lock-starter")) {
            try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                Map<Path, Long> sizes = sources.filter(file -> file.toString().endsWith(".java"))
                        .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
                assertThat(sizes)
                        .isNotEmpty()
                        .allSatisfy((folder, files) ->
                                assertThat(files).isLessThanOrEqualTo(folder.endsWith("io/distributedlock") ? 32 : 25));
            }
        }
    }

    /** A feature that needs more raises the number: see decision 0070. */
    @Test
    void theSourcesGrowOnPurposeOnly() throws IOException {
        long lines = 0;
        try (Stream<Path> sources = Files.walk(Path.of("src", "main", "java"))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                try (Stream<String> each = Files.lines(source)) {
                    lines += each.count();
                }
            }
        }
        assertThat(lines).as("lines of the sources").isBetween(1L, MOST_LINES);
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
                        "ClientIdentity",
                        "LockClient",
                        "LockClientBuilder",
                        "LockContext",
                        "LockEvent",
                        "LockException",
                        "LockHandle",
                        "LockHolder",
                        "LockId",
                        "LockInterruptedException",
                        "LockListener",
                        "LockLostException",
                        "LockMode",
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
