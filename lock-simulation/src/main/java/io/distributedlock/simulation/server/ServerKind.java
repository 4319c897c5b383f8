package io.distributedlock.simulation.server;

import java.util.List;

/** Servers that differ in what they know. */
public enum ServerKind {
    REDIS_7("redis", "7.0.15", "DELIFEQ", "DELEX"),
    VALKEY_9("valkey", "9.0.0", "DELEX"),
    REDIS_8_4("redis", "8.4.0", "DELIFEQ"),
    /** Valkey 9 whose user may run no scripts. */
    WITHOUT_SCRIPTS("valkey", "9.0.0", "DELEX", "EVAL", "EVALSHA", "SCRIPT");

    private final String server;
    private final String version;
    private final List<String> unknown;

    ServerKind(String server, String version, String... unknown) {
        this.server = server;
        this.version = version;
        this.unknown = List.of(unknown);
    }

    String server() {
        return server;
    }

    String version() {
        return version;
    }

    boolean knows(String command) {
        return !unknown.contains(command);
    }

    boolean comparesInSet() {
        return this != REDIS_7;
    }

    public boolean runsScripts() {
        return knows("EVAL");
    }
}
