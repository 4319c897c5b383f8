package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigurationMetadataTests {

    private static final Set<String> ABSENT = Set.of(
            "distributed-lock.key-prefix",
            "distributed-lock.redis.url",
            "distributed-lock.redis.ssl-bundle",
            "distributed-lock.max-hold",
            "distributed-lock.policies",
            "distributed-lock.quorum.urls",
            "distributed-lock.quorum.ssl-bundle");

    @Test
    void theJarDescribesItsPropertiesWhateverJdkCompiledIt() {
        assertThat(ConfigurationMetadata.file()).isRegularFile();
    }

    @Test
    void everyPropertyHasADescriptionATypeAndADefaultUnlessItMayBeAbsent() {
        assertThat(ConfigurationMetadata.properties()).isNotEmpty().allSatisfy((name, property) -> {
            assertThat(name).matches("(distributed-lock|management\\.endpoint\\.(locks|lockconsole))\\..+");
            assertThat(String.valueOf(property.get("description")))
                    .endsWith(".")
                    .doesNotContain("{@");
            assertThat(property.get("type")).isNotNull();
            assertThat(property.containsKey("defaultValue")).isNotEqualTo(ABSENT.contains(name));
        });
    }
}
