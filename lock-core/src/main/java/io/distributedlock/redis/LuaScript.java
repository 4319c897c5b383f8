package io.distributedlock.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A script from the class path, called by its digest; a server that does not know it yet is sent the text. */
final class LuaScript {

    private final String text;
    private final String digest;

    private LuaScript(String text) {
        this.text = text;
        this.digest = Digests.sha1(text);
    }

    static LuaScript named(String name) {
        try (InputStream resource = LuaScript.class.getResourceAsStream(name + ".lua")) {
            if (resource == null) {
                throw new IllegalStateException(
                        "The script " + name + ".lua is missing from the library's jar; rebuild or reinstall it");
            }
            return new LuaScript(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "The script " + name + ".lua can't be read from the library's jar", unreadable);
        }
    }

    CompletionStage<Object> run(
            RedisScriptingAsyncCommands<String, String> commands,
            ScriptOutputType output,
            List<String> keys,
            String... args) {
        String[] names = keys.toArray(String[]::new);
        CompletionStage<Object> known = commands.evalsha(digest, output, names, args);
        return known.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof RedisNoScriptException) {
                return commands.eval(text, output, names, args);
            }
            throw new CompletionException(cause);
        });
    }
}
