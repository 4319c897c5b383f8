package io.distributedlock.testkit.relay;

import io.distributedlock.testkit.server.RedisServer;
import java.util.List;
import java.util.Set;

/** A server that runs no scripts, and has the commands of one dialect: a relay executes them by scripts of its own. */
public final class DialectRelay implements AutoCloseable {

    private static final Set<String> SCRIPTS = Set.of("EVAL", "EVALSHA", "SCRIPT", "FCALL");
    private static final Set<String> COMPARISONS = Set.of("DELIFEQ", "DELEX", "CAD", "CAS");
    private static final String DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    private static final String SET = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end"
            + " redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) return 1";
    private static final String NULL = "_\r\n";
    private static final String OK = "+OK\r\n";

    /** Which commands a server without scripts has. */
    public enum Dialect {
        AS_REDIS_8_4("DELEX"),
        AS_VALKEY_9("DELIFEQ"),
        AS_TAIR("CAD"),
        /** None. */
        OLD("none"),
        /** Those of the server that the tests are run with. */
        AS_IT_IS("");

        private final String delete;

        Dialect(String delete) {
            this.delete = delete;
        }
    }

    private final CommandRelay commands;
    private final RedisServer server;

    public DialectRelay(RedisServer server, Dialect dialect) {
        this.server = server;
        this.commands = CommandRelay.to(server.port());
        speak(dialect);
    }

    /** From now on it has these commands, and runs no scripts. */
    public void speak(Dialect dialect) {
        commands.clearAnswers();
        commands.answer(
                words -> SCRIPTS.contains(words.get(0)),
                "-ERR unknown command 'EVALSHA', with args beginning with: '42' \r\n");
        know(dialect);
    }

    /** From now on it has these commands, and leaves scripts to the server. */
    public void speakWithScripts(Dialect dialect) {
        commands.clearAnswers();
        know(dialect);
    }

    private void know(Dialect dialect) {
        commands.answer(
                words -> (isSetIfEqual(words) || words.get(0).equals(dialect.delete)) && isHash(words.get(1)),
                "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
        switch (dialect) {
            case AS_REDIS_8_4 -> {
                delete("DELEX", ":0\r\n");
                setIfEqual();
            }
            case AS_VALKEY_9 -> {
                delete("DELIFEQ", ":0\r\n");
                setIfEqual();
            }
            case AS_TAIR -> {
                delete("CAD", ":-1\r\n");
                commands.answer(
                        words -> words.get(0).equals("CAS")
                                && done(SET, words.get(1), words.get(2), words.get(3), words.get(5)),
                        ":1\r\n");
                commands.answer(words -> words.get(0).equals("CAS"), ":-1\r\n");
            }
            case OLD -> {}
            case AS_IT_IS -> {
                return;
            }
        }
        commands.answer(
                words -> COMPARISONS.contains(words.get(0)) || isSetIfEqual(words),
                "-ERR unknown command 'DELIFEQ', with args beginning with: '42' \r\n");
    }

    private void delete(String command, String none) {
        commands.answer(
                words -> words.get(0).equals(command) && done(DELETE, words.get(1), words.get(words.size() - 1)),
                ":1\r\n");
        commands.answer(words -> words.get(0).equals(command), none);
    }

    private void setIfEqual() {
        commands.answer(
                words -> isSetIfEqual(words) && done(SET, words.get(1), words.get(4), words.get(2), words.get(6)), OK);
        commands.answer(DialectRelay::isSetIfEqual, NULL);
    }

    private static boolean isSetIfEqual(List<String> words) {
        return words.get(0).equals("SET") && words.contains("IFEQ");
    }

    private boolean isHash(String key) {
        return String.valueOf(server.command("TYPE", key)).equals("hash");
    }

    private boolean done(String script, String key, String... arguments) {
        String[] words = new String[4 + arguments.length];
        words[0] = "EVAL";
        words[1] = script;
        words[2] = "1";
        words[3] = key;
        System.arraycopy(arguments, 0, words, 4, arguments.length);
        return Long.valueOf(1).equals(server.command(words));
    }

    /** Whether the server has the commands of this dialect, by itself or by this relay. */
    public boolean has(Dialect dialect) {
        return dialect != Dialect.AS_IT_IS
                || !String.valueOf(server.command("COMMAND", "INFO", "DELIFEQ", "DELEX", "CAD"))
                        .equals("[null, null, null]");
    }

    /** How often the command that compares and deletes was sent. */
    public long deletes() {
        long all = 0;
        for (Dialect each : Dialect.values()) {
            all += each.delete.isEmpty() ? 0 : commands.count(each.delete);
        }
        return all;
    }

    public CommandRelay commands() {
        return commands;
    }

    @Override
    public void close() {
        commands.close();
    }
}
