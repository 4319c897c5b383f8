package io.distributedlock.simulation.server;

import java.util.Locale;

/** A command that ends with an error. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String text;

    Refusal(String text) {
        super(text, null, false, false);
        this.text = text;
    }

    String text() {
        return text;
    }

    static Refusal wrongType() {
        return new Refusal("WRONGTYPE Operation against a key holding the wrong kind of value");
    }

    static Refusal syntax() {
        return new Refusal("ERR syntax error");
    }

    static Refusal arity(String command) {
        return new Refusal("ERR wrong number of arguments for '" + command.toLowerCase(Locale.ROOT) + "' command");
    }
}
