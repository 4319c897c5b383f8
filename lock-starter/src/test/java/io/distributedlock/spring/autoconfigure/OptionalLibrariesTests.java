package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockTemplate;
import io.distributedlock.spring.DistributedLock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;

/** Nothing that is optional is needed: each library is hidden from the application, which has all of our auto-configurations. */
class OptionalLibrariesTests {

    /** Public, because a proxy of it is made by another class loader. */
    public static class Locked {
        @DistributedLock(key = "#id")
        public String pay(String id) {
            return "paid " + id;
        }

        @DistributedLock(key = "#id")
        public CompletableFuture<String> payLater(String id) {
            return CompletableFuture.completedFuture("paid " + id);
        }
    }

    /** By name, as in an application: a class that names a missing one must not be loaded before its conditions have been read. */
    static class Ours implements DeferredImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return ImportCandidates.load(AutoConfiguration.class, null).getCandidates().stream()
                    .filter(name -> name.startsWith("io.distributedlock.spring"))
                    .toArray(String[]::new);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Ours.class)
    static class Application {}

    @Test
    void switchedOffThereIsNoBeanOfOursAmongAllThatCouldBe() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(SimpleMeterRegistry.class)
                .withBean(Locked.class)
                .withPropertyValues(
                        "distributed-lock.enabled=false",
                        "distributed-lock.store=memory",
                        "management.endpoints.web.exposure.include=*")
                .run(context -> {
                    assertThat(context.getBean(Locked.class)).isExactlyInstanceOf(Locked.class);
                    assertThat(context.getBeanDefinitionNames())
                            .filteredOn(name -> name.startsWith("distributedLock")
                                    || String.valueOf(context.getType(name)).contains("io.distributedlock."))
                            .filteredOn(name -> context.getType(name) != Locked.class)
                            .filteredOn(name -> context.getType(name) != Application.class)
                            .isEmpty();
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reactor.",
                "io.micrometer.core",
                "io.micrometer.",
                "org.springframework.boot.actuate",
                "org.springframework.boot.health",
                "org.springframework.boot.micrometer",
                "org.springframework.transaction",
                "kotlin."
            })
    void withoutThisLibraryLocksWork(String library) {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(library))
                .withUserConfiguration(Application.class)
                .withPropertyValues("distributed-lock.store=memory")
                .withBean(Locked.class)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(LockTemplate.class);
                    assertThat(context.getBean(Locked.class).pay("42")).isEqualTo("paid 42");
                    assertThat(context.getBean(Locked.class).payLater("42").get(60, TimeUnit.SECONDS))
                            .isEqualTo("paid 42");
                });
    }
}
