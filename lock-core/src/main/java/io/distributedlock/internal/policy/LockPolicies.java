package io.distributedlock.internal.policy;

import io.distributedlock.LockPolicy;
import io.distributedlock.LockRequest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The policies of one client, and which of them counts for a request. */
public final class LockPolicies {

    private static final int MAX_REMEMBERED = 1_000;

    private final Map<String, Optional<LockPolicy>> byLock = new ConcurrentHashMap<>();
    private final Map<String, LockPolicy> byName;
    private final List<NamePattern> patterns;

    public LockPolicies(Map<String, LockPolicy> byName) {
        this.byName = Map.copyOf(byName);
        this.patterns = byName.isEmpty() ? List.of() : patterns(byName);
    }

    private static List<NamePattern> patterns(Map<String, LockPolicy> byName) {
        return byName.values().stream()
                .flatMap(policy -> policy.lockNames().stream().map(text -> new NamePattern(text, policy)))
                .sorted(NamePattern.MOST_EXACT_FIRST)
                .toList();
    }

    /** @throws IllegalArgumentException if the request names a policy that does not exist */
    @Nullable
    LockPolicy of(LockRequest request) {
        String chosen = request.options().policy();
        if (chosen == null) {
            return patterns.isEmpty() ? null : byLockName(request.name());
        }
        LockPolicy policy = byName.get(chosen);
        if (policy == null) {
            throw new IllegalArgumentException("Lock '" + request.name() + "' is requested with the policy '" + chosen
                    + "', which does not exist. " + known());
        }
        return policy;
    }

    private String known() {
        return byName.isEmpty()
                ? "There are none: add it with LockClientBuilder.policy(..)"
                : "The policies are " + String.join(", ", new TreeSet<>(byName.keySet()));
    }

    private @Nullable LockPolicy byLockName(String lockName) {
        Optional<LockPolicy> known = byLock.get(lockName);
        if (known == null) {
            known = patterns.stream()
                    .filter(pattern -> pattern.matches(lockName))
                    .map(NamePattern::policy)
                    .findFirst();
            if (byLock.size() < MAX_REMEMBERED) {
                byLock.put(lockName, known);
            }
        }
        return known.orElse(null);
    }

    /** Names of locks for which a policy counts, {@code *} standing for any text. */
    private record NamePattern(String text, LockPolicy policy, Pattern regex) {

        /** The one that says most about a name first. */
        static final Comparator<NamePattern> MOST_EXACT_FIRST = Comparator.comparing(NamePattern::isOpen)
                .thenComparing(NamePattern::literals, Comparator.reverseOrder())
                .thenComparing(NamePattern::text);

        NamePattern(String text, LockPolicy policy) {
            this(
                    text,
                    policy,
                    Pattern.compile(
                            Arrays.stream(text.split("\\*", -1))
                                    .map(Pattern::quote)
                                    .collect(Collectors.joining(".*")),
                            Pattern.DOTALL));
        }

        boolean matches(String lockName) {
            return regex.matcher(lockName).matches();
        }

        private boolean isOpen() {
            return text.indexOf('*') >= 0;
        }

        private int literals() {
            return text.replace("*", "").length();
        }
    }
}
