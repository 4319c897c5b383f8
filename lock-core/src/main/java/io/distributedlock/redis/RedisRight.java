package io.distributedlock.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A right that the locks' user needs, with a command that shows whether it is there.
 *
 * @param rule what grants it, as in {@code ACL SETUSER user +set}
 * @param command words of a command that does no harm
 */
record RedisRight(String rule, List<String> command) {

    /** @param key a key of ours that nobody uses */
    static List<RedisRight> all(String key) {
        return List.of(
                right("set", key, "probe", "NX", "PX", "1000"),
                right("get", key),
                right("getex", key),
                right("pttl", key),
                right("pexpire", key, "1000"),
                right("del", key),
                right("time"),
                right("eval", "return 1", "0"),
                right("evalsha", Digests.sha1(""), "0"),
                new RedisRight("+client|info", List.of("CLIENT", "INFO")),
                new RedisRight("+client|kill", List.of("CLIENT", "KILL", "ID", "0", "ADDR", "127.0.0.1:0")));
    }

    private static RedisRight right(String command, String... arguments) {
        List<String> words = new ArrayList<>(List.of(command.toUpperCase(Locale.ROOT)));
        words.addAll(List.of(arguments));
        return new RedisRight("+" + command, List.copyOf(words));
    }
}
