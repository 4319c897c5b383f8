package io.distributedlock.redis.server;

import io.distributedlock.redis.script.Sha1;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A right of the locks' user, with a command that shows whether it is there.
 *
 * @param use what it is needed for
 * @param rule what grants it, as in {@code ACL SETUSER user +set}
 * @param command words of a command that does no harm
 */
public record RequiredPermission(Use use, String rule, List<String> command) {

    public enum Use {
        /** Without it there are no locks, or they are not cleaned up as quickly as they could be. */
        LOCKS("lacks rights that locks need"),
        QUEUE("lacks rights for the queue, so waiters poll"),
        /** Beside those of the queue, some of which they need as well. */
        SHARES("lacks rights for shared locks, so these are refused");

        private final String problem;

        Use(String problem) {
            this.problem = problem;
        }

        /** What a user without these rights does. */
        public String problem() {
            return problem;
        }
    }

    /** Trying SUBSCRIBE would change the connection; servers from version 7 on can be asked. */
    private static final String MAY_SUBSCRIBE =
            "if redis.acl_check_cmd and not redis.acl_check_cmd('SUBSCRIBE', ARGV[1]) then"
                    + " return redis.error_reply('NOPERM no permissions to run SUBSCRIBE') end return 1";

    /**
     * @param key a key of ours that is not used
     * @param channel a channel of ours that is not used
     */
    public static List<RequiredPermission> all(String key, String channel) {
        return List.of(
                right(Use.LOCKS, "set", key, "probe", "NX", "PX", "1000"),
                right(Use.LOCKS, "get", key),
                right(Use.LOCKS, "getex", key),
                right(Use.LOCKS, "pttl", key),
                right(Use.LOCKS, "pexpire", key, "1000"),
                right(Use.LOCKS, "del", key),
                right(Use.LOCKS, "time"),
                right(Use.LOCKS, "eval", "return 1", "0"),
                right(Use.LOCKS, "evalsha", Sha1.sha1(""), "0"),
                new RequiredPermission(Use.LOCKS, "+client|info", List.of("CLIENT", "INFO")),
                new RequiredPermission(
                        Use.LOCKS, "+client|kill", List.of("CLIENT", "KILL", "ID", "0", "ADDR", "127.0.0.1:0")),
                right(Use.QUEUE, "zadd", key, "XX", "1", "probe"),
                right(Use.QUEUE, "zrem", key, "probe"),
                right(Use.QUEUE, "zpopmin", key),
                right(Use.SHARES, "zrange", key, "0", "0"),
                right(Use.SHARES, "zscore", key, "probe"),
                right(Use.SHARES, "zremrangebyscore", key, "1", "0"),
                right(Use.QUEUE, "publish", channel, ""),
                new RequiredPermission(Use.QUEUE, "+pubsub|numsub", List.of("PUBSUB", "NUMSUB", channel)),
                new RequiredPermission(Use.QUEUE, "+subscribe", List.of("EVAL", MAY_SUBSCRIBE, "0", channel)));
    }

    /** Those that are needed without a queue. */
    public static List<RequiredPermission> withoutQueue(String key) {
        Stream<RequiredPermission> shared =
                Stream.of(right(Use.SHARES, "zadd", key, "XX", "1", "probe"), right(Use.SHARES, "zrem", key, "probe"));
        return Stream.concat(all(key, key).stream().filter(right -> right.use() != Use.QUEUE), shared)
                .toList();
    }

    /** Those of locks without scripts, beside the commands that compare. */
    public static List<RequiredPermission> withoutScripts(String key) {
        return List.of(
                right(Use.LOCKS, "set", key, "probe", "NX", "PX", "1000"),
                right(Use.LOCKS, "get", key),
                right(Use.LOCKS, "pttl", key));
    }

    private static RequiredPermission right(Use use, String command, String... arguments) {
        List<String> words = new ArrayList<>(List.of(command.toUpperCase(Locale.ROOT)));
        words.addAll(List.of(arguments));
        return new RequiredPermission(use, "+" + command, List.copyOf(words));
    }

    /**
     * What would grant it, given how the server refused its command.
     *
     * @param pattern of our keys and channels
     */
    public String remedy(String error, String pattern) {
        if (error.contains("to run")) {
            return rule;
        }
        return (error.contains("channel") ? "&" : "~") + pattern;
    }

    /** Whether this error says that the right is missing, and not another one that its command needs to be tried. */
    public boolean isMissing(String error) {
        boolean otherOne = command.get(0).equals("EVAL") && error.contains("'eval'") && !rule.equals("+eval");
        return error.startsWith("NOPERM") && !otherOne;
    }
}
