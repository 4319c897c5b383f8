package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConfigurationMetadataTests {

    @Test
    void theJarDescribesItsPropertiesWhateverJdkCompiledIt() {
        assertThat(ConfigurationMetadata.file()).isRegularFile();
    }

    @Test
    void everyPropertyHasADescriptionADefaultAndAType() {
        assertThat(ConfigurationMetadata.properties()).hasSize(8).allSatisfy((name, property) -> {
            assertThat(name).startsWith("distributed-lock.");
            assertThat(String.valueOf(property.get("description")))
                    .endsWith(".")
                    .doesNotContain("{@");
            assertThat(property.get("type")).isNotNull();
            assertThat(property.get("defaultValue")).isNotNull();
        });
    }
}
