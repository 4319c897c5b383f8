package io.distributedlock.redis;

import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Attempt.Granted;
import io.distributedlock.spi.Attempt.Refused;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What an answer, or the lack of one, says about the effect of a command.
 *
 * <p>Only what is known to mean "not done" counts as such. An unknown error text may come from a proxy, or from a script that failed after its
 * write, so its effect is unknown.
 */
final class RedisReplies {

    private static final int GRANTED_NOW = 1;
    private static final int HELD_BY_OTHER = 0;

    /** First words of errors after which a command has certainly had no effect. */
    private static final Set<String> REFUSALS = Set.of(
            "OOM",
            "MISCONF",
            "NOREPLICAS",
            "READONLY",
            "LOADING",
            "BUSY",
            "NOAUTH",
            "WRONGPASS",
            "NOPERM",
            "CLUSTERDOWN",
            "MASTERDOWN",
            "TRYAGAIN",
            "CROSSSLOT",
            "NOSCRIPT",
            "WRONGTYPE");

    /** Texts of the driver for commands that it did not send. */
    private static final List<String> NOT_SENT = List.of(
            "Currently not connected",
            "Connection is closed",
            "Request queue size exceeded",
            "Command buffer size exceeded");

    private RedisReplies() {}

    static Attempt attempt(@Nullable Object reply) {
        if (!(reply instanceof List<?> parts) || parts.size() != 3) {
            throw StoreException.unknown(
                    "Redis gave an unexpected reply to acquire; a proxy may have changed it", null);
        }
        long kind = number(parts.get(0));
        Duration left = Duration.ofMillis(Math.max(0, number(parts.get(2))));
        if (kind == HELD_BY_OTHER) {
            return new Refused(left, new CompletableFuture<>());
        }
        return new Granted(number(parts.get(1)), left, kind == GRANTED_NOW);
    }

    static boolean flag(@Nullable Object reply) {
        return number(reply) == 1;
    }

    private static long number(@Nullable Object part) {
        if (part instanceof Long number) {
            return number;
        }
        throw StoreException.unknown(
                "Redis gave an unexpected reply where a number was due; a proxy may have changed it", null);
    }

    static StoreException failure(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof StoreException known) {
            return known;
        }
        String text = String.valueOf(cause.getMessage());
        if (cause instanceof RedisCommandExecutionException) {
            return isRefusal(text)
                    ? StoreException.refused("Redis refused: " + text, cause)
                    : StoreException.unknown("Redis answered: " + text, cause);
        }
        if (cause instanceof RedisConnectionException || NOT_SENT.stream().anyMatch(text::startsWith)) {
            return StoreException.notSent("Redis can't be reached: " + reason(cause), cause);
        }
        return StoreException.unknown(cause.getClass().getSimpleName() + ": " + text, cause);
    }

    private static boolean isRefusal(String text) {
        int space = text.indexOf(' ');
        String first = space < 0 ? text : text.substring(0, space);
        return REFUSALS.contains(first) || text.startsWith("ERR unknown command");
    }

    /** The driver wraps what went wrong; the innermost message names it. */
    static String reason(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return String.valueOf(root == thrown ? thrown.getMessage() : thrown.getMessage() + ": " + root.getMessage());
    }
}
