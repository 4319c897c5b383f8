package io.distributedlock.benchmarks.server;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.server.RedisServer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Watches what clients send, which the counters don't tell from what scripts call. Slows the server down. */
public final class Monitor implements AutoCloseable {

    private static final Pattern SENT = Pattern.compile("\\S+ \\[\\d+ (\\S+)] \"([^\"]*)\"(.*)");
    private static final String SCRIPT = "lua";

    private final RedisServer redis;
    private final RespClient watcher;

    private Monitor(RedisServer redis, RespClient watcher) {
        this.redis = redis;
        this.watcher = watcher;
    }

    public static Monitor start(RedisServer redis) {
        RespClient watcher = RespClient.connect(redis.port());
        watcher.send("MONITOR");
        String reply = String.valueOf(watcher.receive());
        if (!"OK".equals(reply)) {
            throw new IllegalStateException("MONITOR was answered by " + reply);
        }
        return new Monitor(redis, watcher);
    }

    /** What clients send while something runs. */
    public static Seen during(RedisServer redis, Runnable load) {
        try (Monitor monitor = start(redis)) {
            load.run();
            return monitor.stop();
        }
    }

    /** What was seen since the start; not to be called again. */
    public Seen stop() {
        String end = UUID.randomUUID().toString();
        redis.command("ECHO", end);
        Seen seen = new Seen(new HashMap<>(), new HashMap<>());
        for (String line = next(); !line.contains(end); line = next()) {
            seen.add(line);
        }
        return seen;
    }

    private String next() {
        return String.valueOf(watcher.receive());
    }

    /**
     * How often each command was sent by a client, and called by a script; without housekeeping.
     *
     * @param sent by lower-case name
     * @param called by lower-case name
     */
    public record Seen(Map<String, Long> sent, Map<String, Long> called) {

        void add(String line) {
            Matcher command = SENT.matcher(line);
            if (command.matches()) {
                String name = command.group(2).toLowerCase(Locale.ROOT);
                if (!Work.isHousekeeping(name)) {
                    (SCRIPT.equals(command.group(1)) ? called : sent).merge(name, 1L, Long::sum);
                }
            }
        }

        /** How many commands clients sent. */
        public long total() {
            return sent.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Which part of all executions of a command was sent by a client. */
        double sentPart(String name) {
            long bySelf = sent.getOrDefault(name, 0L);
            long all = bySelf + called.getOrDefault(name, 0L);
            return all == 0 ? 0 : (double) bySelf / all;
        }
    }

    @Override
    public void close() {
        watcher.close();
    }
}
