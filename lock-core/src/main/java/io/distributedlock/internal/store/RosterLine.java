package io.distributedlock.internal.store;

import io.distributedlock.ClientIdentity;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a client is written into the roster: {@code tick=8123 app=shop host=web-1 pid=4711}, legible with the store's own
 * tools. Unknown words are ignored, so that later versions can add some.
 *
 * @param tick when it was written, by the client's own clock: see {@link OwnerOrigin#tick}
 */
record RosterLine(ClientIdentity identity, int tick) {

    String written() {
        StringBuilder line = new StringBuilder("tick=").append(tick);
        add(line, identity);
        return line.toString();
    }

    static void add(StringBuilder line, ClientIdentity identity) {
        add(line, "app", identity.application());
        add(line, "version", identity.version());
        add(line, "host", identity.host());
        add(line, "pid", identity.pid());
        add(line, "start", identity.startedAt());
    }

    static void add(StringBuilder line, String name, @Nullable Object value) {
        if (value != null) {
            line.append(' ').append(name).append('=').append(value);
        }
    }

    /** @throws RuntimeException if no client has written it */
    static RosterLine read(String line) {
        Map<String, String> words = words(line);
        return new RosterLine(identity(words), Integer.parseInt(words.getOrDefault("tick", "")));
    }

    static Map<String, String> words(String line) {
        Map<String, String> words = new HashMap<>();
        for (String word : line.split(" ")) {
            int end = word.indexOf('=');
            words.put(word.substring(0, Math.max(0, end)), word.substring(end + 1));
        }
        return words;
    }

    /** @throws RuntimeException if no client has written it */
    static ClientIdentity identity(Map<String, String> words) {
        String pid = words.get("pid");
        String start = words.get("start");
        return new ClientIdentity(
                words.get("app"),
                words.get("version"),
                words.get("host"),
                pid == null ? null : Long.valueOf(pid),
                start == null ? null : Instant.parse(start));
    }
}
