package io.distributedlock.redis.script;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Release.Outcome;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.spi.StoredLock;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.PartitionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an answer, or the lack of one, says about the effect of a command.
 *
 * <p>Only what is known to mean "not done" counts as such. An unknown error text may come from a proxy, or from a
 * script that failed after its write, so its effect is unknown.
 */
public final class RedisReplies {

    /** No server's clock is set to a time before the year 2001, in microseconds. */
    private static final long SMALLEST_TOKEN = 1_000_000_000_000_000L;

    private static final int HELD_BY_OTHER = 0;
    private static final int GRANTED_BEFORE = 2;
    private static final int GRANTED_WITHOUT_TOKEN = 3;

    /** What is said of a key that never expires, such as one that something else than a lock client wrote. */
    private static final Duration NEVER = Duration.ofDays(365);

    private static final String OTHER_TYPE = "WRONGTYPE";
    private static final String READ_ONLY = "READONLY";
    private static final String DIVIDED = "TRYAGAIN";
    private static final String CROSS_SLOT = "CROSSSLOT";
    private static final String FULL = "OOM";

    /** First words of errors after which a command has certainly had no effect. */
    private static final Set<String> REFUSALS = Set.of(
            FULL,
            "MISCONF",
            "NOREPLICAS",
            READ_ONLY,
            "LOADING",
            "BUSY",
            "NOAUTH",
            "WRONGPASS",
            "NOPERM",
            "CLUSTERDOWN",
            "MASTERDOWN",
            DIVIDED,
            CROSS_SLOT,
            "MOVED",
            "ASK",
            "NOSCRIPT",
            "QUARANTINE",
            OTHER_TYPE);

    /** Those among them that last until an administrator has mended something. */
    private static final Set<String> DENIALS = Set.of("NOAUTH", "WRONGPASS", "NOPERM");

    /** What Redis 6 puts before the error of a command in a script, which may begin with a minus sign. */
    private static final Pattern SCRIPT_OF_REDIS_6 =
            Pattern.compile("ERR Error running script \\(call to f_[0-9a-f]{40}\\): (@user_script: ?[0-9]+: )+-?");

    /** How a server says that it has no scripts, or that the user may call none. */
    private static final Pattern WITHOUT_SCRIPTS = Pattern.compile(
            "(ERR unknown command|ERR command|NOPERM .* run the) ['`]?eval(sha)?\\b.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** How Redis 7 says that the user lacks the right to a command of a script. */
    private static final String RIGHT_OF_SCRIPT = "ERR The user executing the script";

    /** Texts of the driver for commands that it did not send. */
    private static final List<String> NOT_SENT = List.of(
            "Currently not connected",
            "Connection is closed",
            "Request queue size exceeded",
            "Command buffer size exceeded",
            "Internal stack size exceeded");

    /** How the answer of a server in protected mode begins, with which the driver fails all commands in flight. */
    private static final String PROTECTED_MODE = "DENIED";

    private RedisReplies() {}

    /**
     * @param ttl what was asked for
     * @param place registers a claim that the server has queued, at this time of its clock in microseconds, and returns
     *     its news
     */
    public static AcquireResult attempt(
            @Nullable Object reply, Duration ttl, LongFunction<CompletionStage<Optional<Granted>>> place) {
        if (!(reply instanceof List<?> parts) || (parts.size() != 1 && parts.size() != 3)) {
            throw unexpected();
        }
        if (parts.size() == 1) {
            return granted(requireToken(number(parts.get(0))), ttl, true);
        }
        long kind = number(parts.get(0));
        long number = number(parts.get(1));
        long millis = number(parts.get(2));
        Duration left = Duration.ofMillis(Math.max(0, millis));
        if (kind == HELD_BY_OTHER) {
            Duration ends = millis < 0 ? NEVER : left;
            return number > 0
                    ? new Refused(ends, true, place.apply(number))
                    : new Refused(ends, false, new CompletableFuture<>());
        }
        if (kind == GRANTED_WITHOUT_TOKEN && number == 0) {
            return new Granted(0, ttl, true);
        }
        if (kind != GRANTED_BEFORE) {
            throw unexpected();
        }
        return granted(number, left, false);
    }

    private static Granted granted(long token, Duration left, boolean fresh) {
        return new Granted(token == 0 ? 0 : requireToken(token), left, fresh);
    }

    private static long requireToken(long token) {
        if (token < SMALLEST_TOKEN) {
            throw unexpected();
        }
        return token;
    }

    /** What the script that draws a token replies: zero if the lock is not held. */
    public static long token(@Nullable Object reply) {
        long token = number(reply);
        return token == 0 ? 0 : requireToken(token);
    }

    public static boolean flag(@Nullable Object reply) {
        long number = number(reply);
        if (number != 0 && number != 1) {
            throw unexpected();
        }
        return number == 1;
    }

    /** The answer of a script about one lock that failed: a key of another type is not held by any owner of ours. */
    public static boolean flagOfFailure(Throwable thrown) {
        StoreException failure = failure(thrown);
        if (failure.effect() == Effect.REFUSED && isRefusedFor(OTHER_TYPE, failure)) {
            return false;
        }
        throw failure;
    }

    /** What a script that releases a lock replies. */
    public static Outcome released(@Nullable Object reply) {
        long number = number(reply);
        if (number < 0 || number > 2) {
            throw unexpected();
        }
        return number == 1 ? Outcome.RELEASED : number == 0 ? Outcome.ABSENT : Outcome.NOT_OWNER;
    }

    /** The same of one that failed: a key of another type is not held by any owner of ours. */
    public static Outcome notReleased(Throwable thrown) {
        flagOfFailure(thrown);
        return Outcome.NOT_OWNER;
    }

    /** What is left of one of many leases, zero if there is none. An error of one comes as a text among the answers. */
    public static Duration leftOfElement(@Nullable Object element) {
        if (element instanceof StoreException failure) {
            throw failure;
        }
        if (element instanceof String error && !flagOfFailure(new RedisCommandExecutionException(error))) {
            return Duration.ZERO;
        }
        long millis = number(element);
        if (millis < 0) {
            throw unexpected();
        }
        return Duration.ofMillis(millis);
    }

    /** What the script that finds a lock replies. */
    public static Optional<StoredLock> found(@Nullable Object reply) {
        if (reply instanceof List<?> parts) {
            if (parts.isEmpty()) {
                return Optional.empty();
            }
            if (parts.size() >= 3
                    && parts.get(0) instanceof String owner
                    && parts.get(1) instanceof Long millis
                    && parts.get(2) instanceof Long waiting) {
                List<String> sharing =
                        parts.stream().skip(3).map(String::valueOf).toList();
                return Optional.of(new StoredLock(
                        sharing.isEmpty() ? LockMode.EXCLUSIVE : LockMode.SHARED,
                        sharing.isEmpty() ? List.of(owner) : sharing,
                        millis < 0 ? null : Duration.ofMillis(millis),
                        waiting < 0 ? null : waiting.intValue()));
            }
        }
        throw unexpected();
    }

    static long number(@Nullable Object part) {
        if (part instanceof Long number) {
            return number;
        }
        throw unexpected();
    }

    public static StoreException unexpected() {
        return StoreException.unknown(
                "Redis sent a reply that no script of the lock client returns; a proxy may have changed it", null);
    }

    public static StoreException failure(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof StoreException known) {
            return known;
        }
        String text = String.valueOf(cause.getMessage());
        if (isDenied(cause)) {
            return StoreException.denied("Redis refused: " + text, cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            return isRefusal(text)
                    ? StoreException.refused("Redis refused: " + text, cause)
                    : StoreException.unknown("Redis answered: " + text, cause);
        }
        if (isNotSent(cause, text)) {
            return StoreException.notSent("Redis can't be reached: " + reason(cause), cause);
        }
        return StoreException.unknown(cause.getClass().getSimpleName() + ": " + text, cause);
    }

    /** Whether the server is the replica of another one, which it may have become while we were connected to it. */
    public static boolean isFromReplica(StoreException failure) {
        return isRefusedFor(READ_ONLY, failure);
    }

    /** Whether nothing was executed because the keys are not all at one node of a Cluster, as their slot moves. */
    public static boolean isDivided(Throwable thrown) {
        return isRefusedFor(DIVIDED, failure(thrown));
    }

    /** Whether nothing was done because the keys of a script belong to different hash slots. */
    public static boolean isCrossSlot(Throwable thrown) {
        return isRefusedFor(CROSS_SLOT, failure(thrown));
    }

    /** Whether the server has refused to run any script, and so has done nothing. */
    public static boolean isWithoutScripts(Throwable thrown) {
        return failure(thrown).getCause() instanceof RedisCommandExecutionException error
                && WITHOUT_SCRIPTS.matcher(String.valueOf(error.getMessage())).matches();
    }

    /** Whether the server has no memory left for a command that may need some. */
    static boolean isFull(Throwable thrown) {
        return isRefusedFor(FULL, failure(thrown));
    }

    /** Whether the server has refused the user, its password or a right, be it when it was connected. */
    public static boolean isDenied(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root instanceof RedisCommandExecutionException
                && DENIALS.contains(firstWord(String.valueOf(root.getMessage())));
    }

    /** Whether an error came that is about neither a state of the server nor a right: something forbids the script. */
    public static boolean isForbidden(Throwable thrown) {
        String text = errorOf(thrown).orElse("");
        return firstWord(text).equals("ERR") && !text.startsWith(RIGHT_OF_SCRIPT) && !isWithoutScripts(thrown);
    }

    /** What the server has answered instead of doing it; empty if something else went wrong. */
    public static Optional<String> errorOf(Throwable thrown) {
        return failure(thrown).getCause() instanceof RedisCommandExecutionException error
                ? Optional.of(String.valueOf(error.getMessage()))
                : Optional.empty();
    }

    private static boolean isRefusedFor(String reason, StoreException failure) {
        return failure.getCause() instanceof RedisCommandExecutionException error
                && firstWord(String.valueOf(error.getMessage())).equals(reason);
    }

    private static boolean isNotSent(Throwable cause, String text) {
        return cause instanceof PartitionException
                || (cause instanceof RedisConnectionException
                        ? !text.startsWith(PROTECTED_MODE)
                        : NOT_SENT.stream().anyMatch(text::startsWith));
    }

    private static boolean isRefusal(String text) {
        return REFUSALS.contains(firstWord(text)) || text.startsWith("ERR unknown command ");
    }

    private static String firstWord(String text) {
        Matcher script = SCRIPT_OF_REDIS_6.matcher(text);
        String error = script.lookingAt() ? text.substring(script.end()) : text;
        int space = error.indexOf(' ');
        return space < 0 ? error : error.substring(0, space);
    }

    /** The driver wraps what went wrong; the innermost message names it. */
    public static String reason(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String reason = root == thrown ? thrown.getMessage() : thrown.getMessage() + ": " + root.getMessage();
        return String.valueOf(reason).replaceFirst("\\.+$", "");
    }
}
