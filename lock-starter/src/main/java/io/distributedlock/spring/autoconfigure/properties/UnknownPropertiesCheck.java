package io.distributedlock.spring.autoconfigure.properties;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Warns of properties below {@code distributed-lock} that nothing reads, such as those of another library or with a
 * typing error.
 */
public final class UnknownPropertiesCheck implements SmartInitializingSingleton {

    private static final Log LOG = LogFactory.getLog(UnknownPropertiesCheck.class);
    private static final int MOST_TYPING_ERRORS = 3;

    private final ConfigurableEnvironment environment;
    private final List<ConfigurationPropertyName> known = new ArrayList<>();
    private final List<ConfigurationPropertyName> open = new ArrayList<>();

    public UnknownPropertiesCheck(ConfigurableEnvironment environment) {
        this.environment = environment;
        add(ConfigurationPropertyName.of(DistributedLockProperties.PREFIX), DistributedLockProperties.class);
        add(ConfigurationPropertyName.of(QuorumProperties.PREFIX), QuorumProperties.class);
    }

    private void add(ConfigurationPropertyName prefix, Class<?> settings) {
        for (RecordComponent component : settings.getRecordComponents()) {
            ConfigurationPropertyName name = prefix.append(dashed(component.getName()));
            if (component.getType().isRecord()) {
                add(name, component.getType());
            } else if (component.getGenericType() instanceof ParameterizedType) {
                open.add(name);
            } else {
                known.add(name);
            }
        }
    }

    private static String dashed(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @Override
    public void afterSingletonsInstantiated() {
        ConfigurationPropertyName root = ConfigurationPropertyName.of(DistributedLockProperties.PREFIX);
        TreeSet<ConfigurationPropertyName> unknown = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource all) {
                all.stream()
                        .filter(name -> root.isAncestorOf(name) && !isKnown(name))
                        .forEach(unknown::add);
            }
        }
        unknown.forEach(name -> LOG.warn(
                "The property " + name + " has no effect: distributed-lock has no such setting. " + advice(name)));
    }

    private boolean isKnown(ConfigurationPropertyName name) {
        return known.contains(name)
                || open.stream().anyMatch(parent -> parent.equals(name) || parent.isAncestorOf(name));
    }

    private String advice(ConfigurationPropertyName name) {
        Map.Entry<ConfigurationPropertyName, Integer> nearest = known.stream()
                .map(each -> Map.entry(each, distance(each.toString(), name.toString())))
                .min(Comparator.comparingInt(Map.Entry::getValue))
                .orElseThrow();
        return nearest.getValue() <= MOST_TYPING_ERRORS
                ? "Did you mean " + nearest.getKey() + "?"
                : "Remove it; all settings are in docs/configuration.md";
    }

    /** How many letters have to be added, removed or replaced to make one text from the other. */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            for (int j = 0; j <= other.length(); j++) {
                row[j] = i == 0
                        ? j
                        : j == 0
                                ? i
                                : Math.min(
                                        Math.min(row[j - 1], before[j]) + 1,
                                        before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1));
            }
            before = row;
        }
        return before[other.length()];
    }
}
