package io.distributedlock.simulation.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LoadState;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.MathLib;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;

/** The scripts that a server knows, and what runs them. */
final class Scripts {

    /** Each text is compiled once, for all servers of all runs. */
    private static final Map<String, Prototype> COMPILED = new ConcurrentHashMap<>();

    private static final Map<String, String> DIGESTS = new ConcurrentHashMap<>();

    private final Map<String, LuaClosure> known = new HashMap<>();
    private final Globals globals = new Globals();
    private long calls;

    /** @param commands runs one command of a script */
    Scripts(Function<String[], @Nullable Object> commands) {
        globals.load(new BaseLib());
        globals.load(new PackageLib());
        globals.load(new TableLib());
        globals.load(new StringLib());
        globals.load(new MathLib());
        LoadState.install(globals);
        LuaC.install(globals);
        LuaLibrary.addTo(globals, commands);
    }

    /** How many scripts have run. */
    long calls() {
        return calls;
    }

    String load(String text) {
        String digest = DIGESTS.computeIfAbsent(text, Scripts::digest);
        known.computeIfAbsent(digest, fresh -> new LuaClosure(compiled(digest, text), globals));
        return digest;
    }

    private static Prototype compiled(String digest, String text) {
        return COMPILED.computeIfAbsent(digest, fresh -> {
            try {
                return LuaC.instance.compile(new ByteArrayInputStream(text.getBytes(ISO_8859_1)), "@user_script");
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }

    static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(ISO_8859_1));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException(absent);
        }
    }

    /** A server that is started knows none. */
    void forget() {
        known.clear();
    }

    /** @param words the name of the command, the text or the digest, how many keys, the keys and the arguments */
    @Nullable
    Object run(boolean byDigest, String[] words) {
        if (words.length < 3) {
            throw Refusal.arity(words[0]);
        }
        int keys = (int) KeyCommands.number(words[2]);
        if (keys > words.length - 3) {
            throw new Refusal("ERR Number of keys can't be greater than number of args");
        }
        if (keys < 0) {
            throw new Refusal("ERR Number of keys can't be negative");
        }
        LuaClosure script = known.get(byDigest ? words[1] : loaded(words[1]));
        if (script == null) {
            throw new Refusal("NOSCRIPT No matching script. Please use EVAL.");
        }
        calls++;
        globals.set("KEYS", table(Arrays.asList(words).subList(3, 3 + keys)));
        globals.set("ARGV", table(Arrays.asList(words).subList(3 + keys, words.length)));
        try {
            return LuaLibrary.reply(script.call());
        } catch (LuaError failure) {
            throw new Refusal(LuaLibrary.message(failure));
        }
    }

    private String loaded(String text) {
        try {
            return load(text);
        } catch (LuaError mistake) {
            throw new Refusal("ERR Error compiling script (new function): " + mistake.getMessage());
        }
    }

    private static LuaTable table(List<String> words) {
        LuaTable table = new LuaTable(words.size(), 0);
        for (int i = 0; i < words.size(); i++) {
            table.set(i + 1, LuaValue.valueOf(words.get(i).getBytes(ISO_8859_1)));
        }
        return table;
    }
}
