package io.distributedlock.benchmarks.renewal;

import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a server has done since its start.
 *
 * @param commands how many commands it has run, those within scripts included
 * @param scripts how many of them were scripts
 * @param cpu its processor time
 */
record ServerFigures(long commands, long scripts, Duration cpu) {

    private static final Pattern CALLS = Pattern.compile("cmdstat_(\\S+?):calls=(\\d+)");
    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):(\\S+)");
    private static final double NANOS = 1e9;

    static ServerFigures of(RedisServer redis) {
        double seconds = matches(CPU, info(redis, "cpu"))
                .mapToDouble(match -> Double.parseDouble(match.group(1)))
                .sum();
        return new ServerFigures(calls(redis, ""), calls(redis, "eval"), Duration.ofNanos(Math.round(seconds * NANOS)));
    }

    private static long calls(RedisServer redis, String prefix) {
        return matches(CALLS, info(redis, "commandstats"))
                .filter(match -> match.group(1).startsWith(prefix))
                .mapToLong(match -> Long.parseLong(match.group(2)))
                .sum();
    }

    private static Stream<MatchResult> matches(Pattern pattern, String info) {
        return pattern.matcher(info).results();
    }

    private static String info(RedisServer redis, String section) {
        return String.valueOf(redis.command("INFO", section));
    }

    ServerFigures since(ServerFigures earlier) {
        return new ServerFigures(commands - earlier.commands, scripts - earlier.scripts, cpu.minus(earlier.cpu));
    }
}
