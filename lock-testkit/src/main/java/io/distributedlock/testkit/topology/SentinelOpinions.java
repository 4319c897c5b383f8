package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.process.Polling;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What each of several Sentinels thinks of the master that they watch. */
record SentinelOpinions(RedisFleet sentinels, String masterName) {

    /** How long Sentinels may take to come to an end with something, on a busy machine. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Pattern PORT = Pattern.compile("\\bport, (\\d+)");

    /** Whether all name the same master, and none is busy with a failover. */
    boolean areSettled() {
        List<String> views = sentinels.running().stream()
                .map(sentinel -> String.valueOf(sentinel.command("SENTINEL", "MASTER", masterName)))
                .toList();
        return views.stream().noneMatch(view -> view.contains("failover_in_progress"))
                && views.stream().map(SentinelOpinions::port).distinct().count() == 1;
    }

    private static String port(String view) {
        Matcher port = PORT.matcher(view);
        return port.find() ? port.group(1) : "";
    }

    void downAfter(Duration silence) {
        String millis = Long.toString(silence.toMillis());
        sentinels
                .running()
                .forEach(
                        sentinel -> sentinel.command("SENTINEL", "SET", masterName, "down-after-milliseconds", millis));
    }

    /** Waits, and tells what the Sentinels wrote last if that was in vain. */
    void await(String what, BooleanSupplier condition) {
        try {
            Polling.until(LIMIT, what, condition);
        } catch (IllegalStateException inVain) {
            String logs = sentinels.servers().stream().map(RedisServer::logTail).collect(Collectors.joining("\n\n"));
            throw new IllegalStateException(inVain.getMessage() + "; the Sentinels' logs end with:\n" + logs, inVain);
        }
    }
}
