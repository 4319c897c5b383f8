package io.distributedlock.redis.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a server says about itself, and what of it is wrong for a place of locks. */
public final class ServerInfo {

    private static final int MAJOR = 6;
    private static final int MINOR = 2;

    private ServerInfo() {}

    /** @param hello names and values in turn, as HELLO answers; empty if the server does not know it */
    public static List<String> ofHello(Optional<List<Object>> hello) {
        Map<String, String> facts = pairs(hello.orElse(List.of()));
        List<String> wrong = new ArrayList<>();
        String server = facts.getOrDefault("server", "redis");
        String version = facts.getOrDefault("version", "");
        if (server.equals("redis") && isTooOld(version)) {
            wrong.add("This Redis is version " + version
                    + ", but locks need Redis 6.2 or newer, or Valkey: they use GETEX. Update the server");
        }
        if (isReplica(hello.orElse(List.of()))) {
            wrong.add("This Redis is a replica, so no lock can be written there. Let spring.data.redis.* name"
                    + " the master, or Sentinels or a Cluster that know it");
        }
        return List.copyOf(wrong);
    }

    public static boolean isReplica(List<Object> hello) {
        String role = pairs(hello).getOrDefault("role", "master");
        return role.equals("replica") || role.equals("slave");
    }

    /** Its name and version, as far as HELLO says them. */
    public static String nameOf(List<Object> hello) {
        Map<String, String> facts = pairs(hello);
        return (facts.getOrDefault("server", "redis") + " " + facts.getOrDefault("version", "")).strip();
    }

    private static Map<String, String> pairs(List<Object> words) {
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            pairs.put(String.valueOf(words.get(i)), String.valueOf(words.get(i + 1)));
        }
        return pairs;
    }

    private static boolean isTooOld(String version) {
        String[] parts = version.split("\\.");
        try {
            int major = Integer.parseInt(parts[0]);
            return major < MAJOR || (major == MAJOR && parts.length > 1 && Integer.parseInt(parts[1]) < MINOR);
        } catch (NumberFormatException unreadable) {
            return false;
        }
    }

    /** The lines of INFO by their names. */
    public static Map<String, String> ofInfo(String info) {
        Map<String, String> facts = new HashMap<>();
        info.lines()
                .map(line -> line.split(":", 2))
                .filter(pair -> pair.length == 2)
                .forEach(pair -> facts.put(pair[0], pair[1].trim()));
        return facts;
    }

    /** @param info the section "memory" of INFO */
    public static Optional<String> evictionRisk(String info) {
        Map<String, String> facts = ofInfo(info);
        String policy = facts.getOrDefault("maxmemory_policy", "noeviction");
        String limit = facts.getOrDefault("maxmemory", "0");
        if (policy.equals("noeviction") || limit.equals("0")) {
            return Optional.empty();
        }
        return Optional.of("This Redis evicts keys when its memory is full (maxmemory-policy " + policy
                + "), so a lock can vanish while it is held. Use a Redis with maxmemory-policy noeviction for locks");
    }
}
