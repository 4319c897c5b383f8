package io.distributedlock.simulation.server;

import io.distributedlock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Commands and calls of the real scripts, whose arguments chance decides. */
final class RandomCommands {

    static final String CHANNEL = "heard";

    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final String LOCK = "lock:{n:k}";
    private static final String SHARES = LOCK + ":r";
    private static final String QUEUE = LOCK + ":q";
    private static final String FENCE = "lock:fence";
    private static final String RELEASING = "shared_holds grant_next";

    private static final Map<String, LuaScript> SCRIPTS = new ConcurrentHashMap<>();
    private static final LuaScript BATCH = LuaScript.batchOf("extend");
    private static final LuaScript BATCH_OF_SHARES = LuaScript.batchOf("extend_share");

    private final Random dice;

    RandomCommands(long seed) {
        dice = new Random(seed);
    }

    String[] next() {
        return dice.nextInt(3) == 0 ? plain() : script();
    }

    private String one(String... choices) {
        return choices[dice.nextInt(choices.length)];
    }

    private String key() {
        return dice.nextInt(3) == 0 ? one(LOCK, SHARES, QUEUE, FENCE) : KEYS.get(dice.nextInt(KEYS.size()));
    }

    private String owner() {
        return one("o1", "o2", "o3");
    }

    private String ttl() {
        return String.valueOf(20_000 + dice.nextInt(40_000));
    }

    private String score() {
        return one("1", "2", "3", "2.5", "-1", "inf", "x", "1795000000000", "2795000000000");
    }

    private String[] plain() {
        return switch (dice.nextInt(22)) {
            case 0 -> words("GET", key());
            case 1 -> words("SET", key(), owner(), "NX", "PX", ttl());
            case 2 -> words("SET", key(), owner() + one("", "!"), one("XX", "KEEPTTL", "NX", "PX", "GT"));
            case 3 -> words("SET", key(), one("5", owner()), "PX", one(ttl(), "0", "-1", "x"));
            case 4 -> words("GETEX", key());
            case 5 -> words("DEL", key(), key());
            case 6 -> words("PTTL", key());
            case 7 -> words("PEXPIRE", key(), one(ttl(), ttl(), "0", "-5", "x"));
            case 8 -> words("PEXPIRE", key(), ttl(), "GT");
            case 9 -> words("TYPE", key());
            case 10 -> words("ZADD", key(), score(), owner());
            case 11 -> words("ZADD", key(), one("NX", "XX", "GT", "LT", "CH"), score(), owner());
            case 12 -> words("ZADD", key(), "XX", one("GT", "LT", "NX", "CH"), score(), owner(), score(), owner());
            case 13 -> words("ZREM", key(), owner(), owner());
            case 14 -> words("ZCARD", key());
            case 15 -> words("ZSCORE", key(), owner());
            case 16 -> words("ZRANGE", key(), one("0", "1", "-2"), one("-1", "0", "99"), "WITHSCORES");
            case 17 -> words("ZRANGEBYSCORE", key(), one("(", "") + one("1", "2", "-inf"), one("3", "+inf", "(3"));
            case 18 -> words("ZRANGEBYSCORE", key(), "-inf", "+inf", "LIMIT", one("0", "1"), one("1", "-1"));
            case 19 -> words("ZREMRANGEBYSCORE", key(), "-inf", one("2", "(2", "x"));
            case 20 -> words("ZPOPMIN", key());
            default -> words("PUBSUB", "NUMSUB", CHANNEL, "silent");
        };
    }

    private String member(String owner, String kind) {
        String patience = one("60000", "60000", "0");
        return "5000 " + patience + " " + one(CHANNEL, CHANNEL, "silent") + " " + dice.nextInt(9) + " " + owner + kind;
    }

    private String[] script() {
        String owner = owner();
        List<String> locks = List.of(LOCK, SHARES, FENCE, QUEUE);
        return switch (dice.nextInt(14)) {
            case 0, 1 -> call(script("acquire"), List.of(LOCK, FENCE), owner, ttl(), one("0", "1"));
            case 2, 3 ->
                call(
                        script("acquire"),
                        List.of(LOCK, FENCE, QUEUE),
                        again(owner, ttl(), one("0", "1"), member(owner, one("", "", " fenced", " hint"))));
            case 4 ->
                call(script("rights acquire"), List.of(LOCK, LOCK + ":unused", FENCE), owner, ttl(), one("0", "1"));
            case 5, 6 ->
                call(script("shared_holds writers share"), locks, again(owner, ttl(), "1", member(owner, " shared")));
            case 7 -> call(script("shared_holds without_queue share"), List.of(LOCK, SHARES, FENCE), owner, ttl(), "1");
            case 8 -> call(script("release_fast " + RELEASING + " release"), locks, owner);
            case 9 ->
                call(script("release_fast " + RELEASING + " release"), locks, owner, member(owner, one("", " hint")));
            case 10 -> call(script(RELEASING + " unshare"), locks, owner);
            case 11 -> call(BATCH, List.of(FENCE, LOCK, "a"), ttl(), one("0", "77"), owner, owner());
            case 12 -> call(BATCH_OF_SHARES, List.of(FENCE, LOCK, SHARES), ttl(), "0", owner);
            default -> rare(owner);
        };
    }

    private String[] rare(String owner) {
        return switch (dice.nextInt(6)) {
            case 0 -> call(script("find"), List.of(LOCK, QUEUE, SHARES));
            case 1 -> call(script("draw_token"), List.of(LOCK, FENCE), owner);
            case 2 -> call(script("release_after"), List.of(LOCK), owner, ttl());
            case 3 -> call(script("raise_fence"), List.of(FENCE), one("5", "1895000000000000"));
            case 4 ->
                call(
                        script("quarantine acquire"),
                        List.of(LOCK, FENCE, "lock:since"),
                        owner,
                        ttl(),
                        "0",
                        one("1", "60000"));
            default -> call(script("release_fast without_queue release"), List.of(LOCK), owner);
        };
    }

    private String[] again(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        if (dice.nextBoolean()) {
            all.add("1");
        }
        return all.toArray(String[]::new);
    }

    private static LuaScript script(String parts) {
        return SCRIPTS.computeIfAbsent(parts, all -> LuaScript.named(all.split(" ")));
    }

    private static String[] call(LuaScript script, List<String> keys, String... arguments) {
        List<String> words = new ArrayList<>(List.of("EVAL", script.text(), String.valueOf(keys.size())));
        words.addAll(keys);
        words.addAll(Arrays.asList(arguments));
        return words.toArray(String[]::new);
    }

    private static String[] words(String... words) {
        return words;
    }
}
