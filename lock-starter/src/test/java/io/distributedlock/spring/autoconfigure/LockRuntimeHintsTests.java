package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import io.distributedlock.spring.DistributedLock;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;

class LockRuntimeHintsTests {

    private final RuntimeHints hints = new RuntimeHints();

    private RuntimeHints ours() {
        new LockRuntimeHints().registerHints(hints, getClass().getClassLoader());
        return hints;
    }

    @Test
    void theyAreFoundByTheAheadOfTimeProcessor() {
        assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                        .load(RuntimeHintsRegistrar.class))
                .hasAtLeastOneElementOfType(LockRuntimeHints.class);
    }

    @Test
    void everyScriptIsKept() throws IOException {
        Resource[] scripts = new PathMatchingResourcePatternResolver()
                .getResources("classpath*:io/distributedlock/redis/script/*.lua");
        assertThat(scripts)
                .extracting(Resource::getFilename)
                .contains("acquire.lua")
                .allSatisfy(script -> assertThat(resource().forResource("io/distributedlock/redis/script/" + script))
                        .accepts(ours()));
    }

    @Test
    void theAnnotationIsKept() {
        assertThat(reflection().onType(DistributedLock.class)).accepts(ours());
    }
}
