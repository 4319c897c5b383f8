package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConfigurationMetadataTests {

    @Test
    void theJarDescribesItsPropertiesWhateverJdkCompiledIt() {
        assertThat(ConfigurationMetadata.file()).isRegularFile();
    }

    @Test
    void everyPropertyHasADescriptionATypeAndADefaultExceptALimitThatIsAbsent() {
        assertThat(ConfigurationMetadata.properties()).isNotEmpty().allSatisfy((name, property) -> {
            assertThat(name).matches("(distributed-lock|management\\.endpoint\\.locks)\\..+");
            assertThat(String.valueOf(property.get("description")))
                    .endsWith(".")
                    .doesNotContain("{@");
            assertThat(property.get("type")).isNotNull();
            assertThat(property.containsKey("defaultValue"))
                    .isNotEqualTo(name.matches("distributed-lock\\.(max-hold|policies)"));
        });
    }
}
