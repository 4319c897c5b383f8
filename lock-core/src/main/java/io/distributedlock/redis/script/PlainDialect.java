package io.distributedlock.redis.script;

import io.distributedlock.spi.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * How a server without scripts compares the value of a lock before it deletes or extends it.
 *
 * @param delete by which it compares and deletes; a server that has it compares and sets, too
 * @param get by which it reads a value: the one that a replica with old data refuses, if the server has that
 */
public record PlainDialect(NativeDelete delete, CommandType get) {

    private static final String NO_VALUE = "none";
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** {@code CAS key old new PX milliseconds}, in Tair. */
    private enum TairCommand implements ProtocolKeyword {
        CAS;

        @Override
        public byte[] getBytes() {
            return name().getBytes(StandardCharsets.US_ASCII);
        }
    }

    /**
     * Finds the one that the server has, by trying: a proxy does not always say which commands it lets through, and the
     * user may not be allowed to call what the server has.
     *
     * @param unused a key that nothing uses
     * @return fails as {@linkplain StoreException#isDenied() denied} if the server has none
     */
    public static CompletionStage<PlainDialect> of(BaseRedisAsyncCommands<String, String> commands, String unused) {
        return find(commands, unused, List.of(NativeDelete.values()), List.of());
    }

    private static CompletionStage<PlainDialect> find(
            BaseRedisAsyncCommands<String, String> commands,
            String unused,
            List<NativeDelete> candidates,
            List<String> missing) {
        if (candidates.isEmpty()) {
            return CompletableFuture.failedFuture(none(missing));
        }
        NativeDelete first = candidates.get(0);
        return first.delete(commands, unused, NO_VALUE)
                .thenCompose(nothing -> tryToExtend(commands, unused, first))
                .thenCompose(nothing -> reading(commands, unused, first))
                .exceptionallyCompose(failure -> {
                    if (!isMissing(failure)) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    List<String> others = new ArrayList<>(missing);
                    others.add(first + ": " + error(failure));
                    return find(commands, unused, candidates.subList(1, candidates.size()), others);
                });
    }

    /** A full server does not get as far as to look at the form of the command. */
    private static CompletionStage<Boolean> tryToExtend(
            BaseRedisAsyncCommands<String, String> commands, String unused, NativeDelete delete) {
        return new PlainDialect(delete, CommandType.GET)
                .extend(commands, unused, NO_VALUE, SHORTEST)
                .exceptionallyCompose(failure -> RedisReplies.isFull(failure)
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(failure));
    }

    private static CompletionStage<PlainDialect> reading(
            BaseRedisAsyncCommands<String, String> commands, String unused, NativeDelete delete) {
        PlainDialect asWriter = new PlainDialect(delete, CommandType.GETEX);
        return asWriter.value(commands, unused)
                .thenApply(nothing -> asWriter)
                .exceptionallyCompose(failure -> isMissing(failure)
                        ? CompletableFuture.completedFuture(new PlainDialect(delete, CommandType.GET))
                        : CompletableFuture.failedFuture(failure));
    }

    /** Whether the server has said that it has no such command, or that the user may not call it. */
    public static boolean isMissing(Throwable thrown) {
        String error = error(thrown);
        return error.startsWith("ERR ") || error.startsWith("NOPERM ");
    }

    /** The server's words; empty if it has not answered with an error. */
    private static String error(Throwable thrown) {
        return RedisReplies.failure(thrown).getCause() instanceof RedisCommandExecutionException error
                ? String.valueOf(error.getMessage())
                : "";
    }

    private static StoreException none(List<String> missing) {
        return StoreException.denied(
                "locks without scripts need commands that compare a value before they delete or extend it, and Redis"
                        + " refuses all that are known: DELIFEQ and SET IFEQ (Valkey 9.0), DELEX and SET IFEQ (Redis"
                        + " 8.4), CAD and CAS (Tair, minor version 1.2.3). Its answers: " + String.join("; ", missing)
                        + ". Use a server that has them, grant the user of the locks these commands, or let it run"
                        + " scripts (+eval +evalsha)",
                null);
    }

    /** Deletes a lock if it has this value. Returns whether it had. */
    public CompletionStage<Boolean> delete(BaseRedisAsyncCommands<String, String> commands, String lock, String value) {
        return delete.delete(commands, lock, value);
    }

    /** Lets a lock that has this value end a time from now, earlier or later. Returns whether it had the value. */
    public CompletionStage<Boolean> extend(
            BaseRedisAsyncCommands<String, String> commands, String lock, String value, Duration time) {
        return replace(commands, lock, value, value, time);
    }

    /** The same, and gives it another value. */
    public CompletionStage<Boolean> replace(
            BaseRedisAsyncCommands<String, String> commands, String lock, String value, String other, Duration time) {
        String millis = EncodedArguments.millis(time);
        if (delete != NativeDelete.CAD) {
            return PlainCommands.set(commands, EncodedArguments.ofCommand(lock, other, "IFEQ", value, "PX", millis));
        }
        CommandArgs<String, String> arguments = EncodedArguments.ofCommand(lock, value, other, "PX", millis);
        return commands.dispatch(TairCommand.CAS, new IntegerOutput<>(StringCodec.UTF8), arguments)
                .thenApply(NativeDelete::wasEqual);
    }

    /** The value of a lock; empty if it is free. */
    public CompletionStage<Optional<String>> value(BaseRedisAsyncCommands<String, String> commands, String lock) {
        return PlainCommands.value(commands, get, lock);
    }
}
