package io.distributedlock.testkit.provider;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What can be seen in a Lua script without running it. */
public final class ScriptText {
    private static final Pattern TOKEN = Pattern.compile(
            "--\\[\\[.*?]]|--[^\\n]*" // comments
                    + "|\\[\\[.*?]]|'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\"" // strings
                    + "|[A-Za-z_]\\w*|\\d[\\w.]*|\\.{1,3}|\\S",
            Pattern.DOTALL);

    private final List<String> tokens;

    ScriptText(String text) {
        this.tokens = TOKEN.matcher(text)
                .results()
                .map(match -> match.group())
                .filter(token -> !token.startsWith("--"))
                .toList();
    }

    /**
     * One {@code redis.call} or {@code redis.pcall}, each argument in its tokens; without any if the script gives the
     * function another name, because what is called by that is not seen.
     */
    record Call(List<List<String>> arguments) {
        /** The name of the command in capitals; empty if it is not a literal string. */
        String command() {
            List<String> first = arguments.isEmpty() ? List.of() : arguments.get(0);
            boolean literal = first.size() == 1 && "'\"".indexOf(first.get(0).charAt(0)) >= 0;
            return literal
                    ? first.get(0).substring(1, first.get(0).length() - 1).toUpperCase(Locale.ROOT)
                    : "";
        }

        /** Whether each key is given as {@code KEYS[n]} with a number for n. */
        boolean namesItsKeys() {
            return !arguments.isEmpty()
                    && CommandKeys.of(command(), arguments.subList(1, arguments.size())).stream()
                            .allMatch(key -> String.join("", key).matches("KEYS\\[\\d+]"));
        }

        boolean containsCall() {
            return arguments.stream().anyMatch(argument -> !calls(argument).isEmpty());
        }
    }

    /** The calls from the first to the last, one within another included. */
    List<Call> calls() {
        return calls(tokens);
    }

    /** Whether this name occurs, be it of a variable, a function or a field. */
    boolean contains(String name) {
        return tokens.contains(name);
    }

    private static List<Call> calls(List<String> tokens) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i + 3 < tokens.size(); i++) {
            String called = String.join("", tokens.subList(i, i + 3));
            if (called.equals("redis.call") || called.equals("redis.pcall")) {
                boolean named = tokens.get(i + 3).equals("(");
                calls.add(new Call(named ? arguments(tokens, i + 4) : List.of()));
            }
        }
        return calls;
    }

    private static List<List<String>> arguments(List<String> tokens, int begin) {
        List<List<String>> arguments = new ArrayList<>();
        List<String> argument = new ArrayList<>();
        int open = 1;
        for (int i = begin; i < tokens.size() && open > 0; i++) {
            String token = tokens.get(i);
            open += "([{".contains(token) ? 1 : ")]}".contains(token) ? -1 : 0;
            if (open == 0 || (open == 1 && token.equals(","))) {
                arguments.add(argument);
                argument = new ArrayList<>();
            } else {
                argument.add(token);
            }
        }
        return arguments;
    }
}
