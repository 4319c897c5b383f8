package io.distributedlock.faults;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class NoSleepTest {

    @Test
    void faultTestsWaitForConditionsRatherThanSleep() {
        noClasses()
                .should()
                .callMethodWhere(target(nameMatching("sleep")))
                .because("a sleep is either too short or too long")
                .check(new ClassFileImporter().importPackages(NoSleepTest.class.getPackageName()));
    }
}
