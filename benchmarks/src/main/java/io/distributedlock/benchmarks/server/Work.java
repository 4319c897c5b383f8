package io.distributedlock.benchmarks.server;

import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server has done up to some moment, or between two, by its own counters.
 *
 * @param cpu processor time, with everything
 * @param commands by name, also those that scripts called; without those that only look at the server or keep a
 *     connection
 */
public record Work(Duration cpu, Map<String, Calls> commands) {

    /** @param busy the time inside the command; that of a script contains the commands it called */
    public record Calls(long count, Duration busy) {}

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:user|sys):([0-9.]+)");
    private static final Pattern COMMAND = Pattern.compile("cmdstat_([^:]+):calls=(\\d+),usec=(\\d+)");
    private static final Set<String> HOUSEKEEPING = Set.of(
            "auth", "client", "cluster", "command", "config", "echo", "hello", "info", "monitor", "ping", "script");
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "fcall");
    private static final double MICROS_PER_SECOND = 1e6;
    private static final long NANOS_PER_MICRO = 1_000;

    public static Work until(RedisServer redis) {
        return parse(info(redis, "cpu"), info(redis, "commandstats"));
    }

    static Work parse(String cpu, String commandStats) {
        Map<String, Calls> commands = new HashMap<>();
        Matcher command = COMMAND.matcher(commandStats);
        while (command.find()) {
            if (!isHousekeeping(command.group(1).replaceAll("\\|.*", ""))) {
                Duration busy = Duration.ofNanos(Long.parseLong(command.group(3)) * NANOS_PER_MICRO);
                commands.put(command.group(1), new Calls(Long.parseLong(command.group(2)), busy));
            }
        }
        return new Work(cpu(cpu), commands);
    }

    /** The processor time in the reply to {@code INFO cpu}. */
    public static Duration cpu(String info) {
        long micros = 0;
        Matcher cpu = CPU.matcher(info);
        while (cpu.find()) {
            micros += Math.round(Double.parseDouble(cpu.group(1)) * MICROS_PER_SECOND);
        }
        return Duration.ofNanos(micros * NANOS_PER_MICRO);
    }

    /** Whether a command only looks at the server or keeps a connection. */
    static boolean isHousekeeping(String name) {
        return HOUSEKEEPING.contains(name);
    }

    /**
     * The time inside commands that clients sent, without that of commands inside scripts, which the time of the script
     * contains.
     *
     * @param seen tells the two apart; a command that is both sent and called counts in proportion
     */
    public Duration busy(Monitor.Seen seen) {
        double nanos = commands.entrySet().stream()
                .mapToDouble(entry -> entry.getValue().busy().toNanos() * seen.sentPart(entry.getKey()))
                .sum();
        return Duration.ofNanos(Math.round(nanos));
    }

    /** What has been done since then. */
    public Work since(Work before) {
        Map<String, Calls> done = new HashMap<>();
        commands.forEach((name, calls) -> {
            Calls earlier = before.commands.getOrDefault(name, new Calls(0, Duration.ZERO));
            if (calls.count() > earlier.count()) {
                done.put(
                        name,
                        new Calls(calls.count() - earlier.count(), calls.busy().minus(earlier.busy())));
            }
        });
        return new Work(cpu.minus(before.cpu), done);
    }

    /** How many commands, those inside scripts included. */
    public long count() {
        return commands.values().stream().mapToLong(Calls::count).sum();
    }

    /** How many scripts. */
    public long scripts() {
        return commands.entrySet().stream()
                .filter(entry -> SCRIPTS.contains(entry.getKey()))
                .mapToLong(entry -> entry.getValue().count())
                .sum();
    }

    private static String info(RedisServer redis, String section) {
        return String.valueOf(redis.command("INFO", section));
    }
}
