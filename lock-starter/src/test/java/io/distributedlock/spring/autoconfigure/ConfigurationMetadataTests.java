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
        assertThat(ConfigurationMetadata.properties()).hasSize(14).allSatisfy((name, property) -> {
            assertThat(name).startsWith("distributed-lock.");
            assertThat(String.valueOf(property.get("description")))
                    .endsWith(".")
                    .doesNotContain("{@");
            assertThat(property.get("type")).isNotNull();
            assertThat(property.containsKey("defaultValue")).isNotEqualTo(name.equals("distributed-lock.max-hold"));
        });
    }
}
