package io.distributedlock.campaign.process;

import static java.util.Objects.requireNonNull;

import io.distributedlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What clients leave in the server and in this JVM. */
public final class Leftovers {

    private static final String FENCE_COUNTER = "lock:fence";

    private Leftovers() {}

    /** The keys of locks, without the fence counter, which stays by design. */
    public static List<String> lockKeys(RedisServer server) {
        List<String> keys = new ArrayList<>();
        String cursor = "0";
        do {
            List<?> page = requireNonNull((List<?>) server.command("SCAN", cursor, "MATCH", "lock:*", "COUNT", "1000"));
            cursor = String.valueOf(page.get(0));
            ((List<?>) page.get(1)).forEach(key -> keys.add(String.valueOf(key)));
        } while (!cursor.equals("0"));
        keys.remove(FENCE_COUNTER);
        return keys;
    }

    /** The live threads that lock clients and their driver have started. */
    public static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("distributed-lock")
                        || thread.getName().startsWith("lettuce-"))
                .collect(Collectors.toSet());
    }
}
