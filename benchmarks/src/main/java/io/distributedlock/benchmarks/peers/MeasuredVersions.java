package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.LettuceVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ResourceBundle;

/** What the figures depend on. */
final class MeasuredVersions {

    private MeasuredVersions() {}

    static Map<String, String> describe(Scale scale) {
        Map<String, String> setup = new LinkedHashMap<>();
        for (Library library : Library.values()) {
            setup.put(library.title(), library.version());
        }
        ResourceBundle versions = ResourceBundle.getBundle(MeasuredVersions.class.getPackageName() + ".versions");
        versions.keySet().forEach(name -> setup.put(name, versions.getString(name)));
        setup.put("Lettuce", LettuceVersion.getVersion().replaceAll("/.*", ""));
        setup.put("Redis", redisVersion());
        setup.put("Java", System.getProperty("java.version"));
        setup.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        setup.put("rounds", scale.rounds() + " of " + scale.length().toMillis() + " ms");
        return setup;
    }

    private static String redisVersion() {
        try (RedisServer redis = RedisServer.start()) {
            return String.valueOf(redis.command("INFO", "server")).replaceAll("(?s).*redis_version:(\\S+).*", "$1");
        }
    }
}
