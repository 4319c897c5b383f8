package io.distributedlock.redis.script;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A script from the class path, called by its digest. A new connection brings the text, and a server that does not know
 * it all the same is sent it with the call. It is read at its first use, because an application that starts does not
 * need it yet; threads that are there at once read the same.
 */
public final class LuaScript {

    private final Supplier<String> composed;
    private volatile @Nullable Source source;

    private LuaScript(Supplier<String> composed) {
        this.composed = composed;
    }

    /** The scripts of these names, one behind the other. */
    public static LuaScript named(String... names) {
        return new LuaScript(
                () -> Stream.of(names).map(LuaScript::withoutComments).collect(Collectors.joining("\n")));
    }

    /** The script {@code batch}, which runs one that extends a lock for many, each with its own keys. */
    public static LuaScript batchOf(String extend) {
        return new LuaScript(() ->
                "local function extend(KEYS, ARGV)\n" + withoutComments(extend) + "\nend\n" + withoutComments("batch"));
    }

    private Source source() {
        Source known = source;
        if (known == null) {
            String text = composed.get();
            known = new Source(text, Sha1.sha1(text));
            source = known;
        }
        return known;
    }

    private static String withoutComments(String name) {
        return text(name).lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    }

    private static String text(String name) {
        try (InputStream resource = LuaScript.class.getResourceAsStream(name + ".lua")) {
            if (resource == null) {
                throw new IllegalStateException(
                        "The script " + name + ".lua is missing from the library's jar; rebuild or reinstall it");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "The script " + name + ".lua can't be read from the library's jar", unreadable);
        }
    }

    /** What a server is sent that does not know it: without comments. */
    public String text() {
        return source().text();
    }

    String digest() {
        return source().digest();
    }

    public CompletionStage<Object> run(
            RedisScriptingAsyncCommands<String, String> commands,
            ScriptOutputType output,
            List<String> keys,
            String... args) {
        return run(commands, output, new EncodedArguments(keys, Arrays.asList(args)));
    }

    public CompletionStage<Object> run(
            RedisScriptingAsyncCommands<String, String> commands, ScriptOutputType output, EncodedArguments arguments) {
        Source script = source();
        return send(commands, CommandType.EVALSHA, output, arguments.of(script.digest()))
                .exceptionallyCompose(failure -> failure instanceof RedisNoScriptException
                        ? send(commands, CommandType.EVAL, output, arguments.of(script.text()))
                        : CompletableFuture.failedFuture(failure));
    }

    @SuppressWarnings("unchecked")
    private static RedisFuture<Object> send(
            RedisScriptingAsyncCommands<String, String> commands,
            CommandType type,
            ScriptOutputType output,
            CommandArgs<String, String> args) {
        CommandOutput<String, String, Object> reply = (CommandOutput<String, String, Object>) outputOf(output);
        return ((BaseRedisAsyncCommands<String, String>) commands).dispatch(type, reply, args);
    }

    private static CommandOutput<String, String, ?> outputOf(ScriptOutputType type) {
        return type == ScriptOutputType.INTEGER
                ? new IntegerOutput<>(StringCodec.UTF8)
                : new NestedMultiOutput<>(StringCodec.UTF8);
    }

    private record Source(String text, String digest) {}
}
