package io.distributedlock.spring.autoconfigure.properties;

import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockPolicy;
import io.distributedlock.TtlPolicy;
import io.distributedlock.spring.LockConfigurationException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The lock policies of an application: those of its properties, and one for each of its {@link TtlPolicy} beans under
 * the bean's name.
 */
public final class NamedPolicies {

    private static final Bindable<Map<String, LockPolicyProperties>> SETTINGS =
            Bindable.mapOf(String.class, LockPolicyProperties.class);

    private NamedPolicies() {}

    /** Their names, without creating any bean. */
    public static Set<String> names(Environment environment, ListableBeanFactory beans) {
        Set<String> names = new TreeSet<>(Binder.get(environment)
                .bind(DistributedLockProperties.PREFIX + ".policies", SETTINGS)
                .map(Map::keySet)
                .orElse(Set.of()));
        names.addAll(Arrays.asList(beans.getBeanNamesForType(TtlPolicy.class, true, false)));
        return names;
    }

    /** @throws LockConfigurationException if one of them, or two together, can't work */
    public static void addTo(
            LockClientBuilder client, Map<String, LockPolicyProperties> settings, Map<String, TtlPolicy> beans) {
        for (Map.Entry<String, LockPolicyProperties> each : settings.entrySet()) {
            String name = each.getKey();
            add(client, name, each.getValue().policy(name, beans.get(name)));
        }
        for (Map.Entry<String, TtlPolicy> each : beans.entrySet()) {
            String name = each.getKey();
            if (!settings.containsKey(name)) {
                add(client, name, LockPolicyProperties.DEFAULTS.policy(name, each.getValue()));
            }
        }
    }

    private static void add(LockClientBuilder client, String name, LockPolicy policy) {
        try {
            client.policy(name, policy);
        } catch (IllegalArgumentException clash) {
            throw new LockConfigurationException(
                    "distributed-lock.policies." + name + ".locks can't work: " + clash.getMessage(),
                    "Name each lock, or each pattern, in one policy only",
                    clash);
        }
    }
}
