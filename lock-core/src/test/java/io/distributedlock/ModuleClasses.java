package io.distributedlock;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** The classes of this module, as its rules look at them. */
final class ModuleClasses {

    static final String BASE = "io.distributedlock";
    static final JavaClasses MAIN = classesBeside(LockClient.class);
    static final JavaClasses TESTS = classesBeside(ModuleClasses.class);

    private ModuleClasses() {}

    private static JavaClasses classesBeside(Class<?> type) {
        return new ClassFileImporter()
                .importUrl(type.getProtectionDomain().getCodeSource().getLocation());
    }
}
