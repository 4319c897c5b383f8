package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.io.UrlResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

class AutoConfigurationMetadataTests {

    private static final String CONDITION = ".ConditionalOnClass";

    @Test
    void anApplicationWithoutActuatorDoesNotReadWhatIsForTheActuator() throws IOException {
        Properties known = new Properties();
        for (URL each : getClass()
                .getClassLoader()
                .resources("META-INF/spring-autoconfigure-metadata.properties")
                .toList()) {
            PropertiesLoaderUtils.fillProperties(known, new UrlResource(each));
        }
        assertThat(ours()).allSatisfy(name -> assertThat(known).containsKey(name));
        assertThat(known)
                .containsKeys(
                        LocksEndpointAutoConfiguration.class.getName() + CONDITION,
                        LockHealthAutoConfiguration.class.getName() + CONDITION,
                        LockMetricsAutoConfiguration.class.getName() + CONDITION);
    }

    private static List<String> ours() {
        return ImportCandidates.load(AutoConfiguration.class, null).getCandidates().stream()
                .filter(name -> name.startsWith(AutoConfigurationMetadataTests.class.getPackageName()))
                .toList();
    }
}
