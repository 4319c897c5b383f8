package io.distributedlock.simulation.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;

/** What Redis adds to Lua, and how values pass from one to the other. */
final class LuaLibrary {

    private static final double EXACT = 1e17;
    private static final String WHOLE = "%.0f";

    private LuaLibrary() {}

    static void addTo(Globals globals, Function<String[], @Nullable Object> commands) {
        LuaTable redis = new LuaTable();
        redis.set("call", function(args -> value(run(commands, args, true))));
        redis.set("pcall", function(args -> value(run(commands, args, false))));
        redis.set("error_reply", function(args -> field("err", args.checkstring(1))));
        redis.set("status_reply", function(args -> field("ok", args.checkstring(1))));
        redis.set("sha1hex", function(args -> string(Scripts.digest(text(args.arg(1))))));
        globals.set("redis", redis);
        globals.set("unpack", globals.get("table").get("unpack"));
        LuaValue format = globals.get("string").get("format");
        globals.get("string").set("format", function(args -> formatted(format, args)));
    }

    private static LuaValue function(Function<Varargs, LuaValue> body) {
        return new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs args) {
                return body.apply(args);
            }
        };
    }

    /** The interpreter does not know how to round to a whole number. */
    private static LuaValue formatted(LuaValue original, Varargs args) {
        if (!args.checkjstring(1).equals(WHOLE)) {
            return original.invoke(args).arg1();
        }
        return string(BigDecimal.valueOf(args.checkdouble(2))
                .setScale(0, RoundingMode.HALF_EVEN)
                .toPlainString());
    }

    private static @Nullable Object run(Function<String[], @Nullable Object> commands, Varargs args, boolean throwing) {
        String[] words = new String[args.narg()];
        for (int i = 0; i < words.length; i++) {
            words[i] = word(args.arg(i + 1));
        }
        try {
            return commands.apply(words);
        } catch (Refusal refusal) {
            if (throwing) {
                throw new LuaError(field("err", string(refusal.text())));
            }
            return new Reply.Failure(refusal.text());
        }
    }

    private static String word(LuaValue value) {
        if (value instanceof LuaString string) {
            return text(string);
        }
        if (value.isnumber()) {
            return number(value.todouble());
        }
        throw new LuaError(field("err", string("ERR Lua redis lib command arguments must be strings or integers")));
    }

    private static String number(double number) {
        return number == Math.rint(number) && Math.abs(number) < EXACT
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private static String text(LuaValue value) {
        LuaString string = value.checkstring();
        return new String(string.m_bytes, string.m_offset, string.m_length, ISO_8859_1);
    }

    private static LuaString string(String text) {
        return LuaString.valueUsing(text.getBytes(ISO_8859_1));
    }

    private static LuaTable field(String name, LuaValue value) {
        LuaTable table = new LuaTable();
        table.set(name, value);
        return table;
    }

    private static LuaValue value(@Nullable Object reply) {
        if (reply == null) {
            return LuaValue.FALSE;
        }
        if (reply instanceof Long number) {
            return LuaValue.valueOf((double) number);
        }
        if (reply instanceof String text) {
            return string(text);
        }
        if (reply instanceof Reply.Status status) {
            return field("ok", string(status.text()));
        }
        if (reply instanceof Reply.Failure failure) {
            return field("err", string(failure.text()));
        }
        LuaTable table = new LuaTable();
        List<?> parts = (List<?>) reply;
        for (int i = 0; i < parts.size(); i++) {
            table.set(i + 1, value(parts.get(i)));
        }
        return table;
    }

    /** What a script has returned, as a reply. */
    static @Nullable Object reply(LuaValue value) {
        if (value instanceof LuaString) {
            return text(value);
        }
        if (value.isnumber()) {
            return (long) value.todouble();
        }
        if (value.isboolean()) {
            return value.toboolean() ? (Long) 1L : null;
        }
        if (!value.istable()) {
            return null;
        }
        LuaValue failure = value.get("err");
        if (failure.isstring()) {
            return new Reply.Failure(text(failure));
        }
        LuaValue status = value.get("ok");
        if (status.isstring()) {
            return new Reply.Status(text(status));
        }
        List<@Nullable Object> parts = new ArrayList<>();
        for (int i = 1; !value.get(i).isnil(); i++) {
            parts.add(reply(value.get(i)));
        }
        return parts;
    }

    static String message(LuaError failure) {
        LuaValue thrown = failure.getMessageObject();
        return thrown != null && thrown.istable() && thrown.get("err").isstring()
                ? text(thrown.get("err"))
                : "ERR " + failure.getMessage();
    }
}
