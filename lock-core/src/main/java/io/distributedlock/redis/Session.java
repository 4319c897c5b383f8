package io.distributedlock.redis;

import org.jspecify.annotations.Nullable;

/**
 * One TCP connection, as the server knows it. What was sent on it can be executed as long as the server has not noticed its end, which may be
 * long after we have.
 */
final class Session {

    private final String server;
    private volatile @Nullable String id;
    private volatile @Nullable String clientAddress;

    Session(String server) {
        this.server = server;
    }

    String server() {
        return server;
    }

    /** Takes the server's words for this connection from the reply to CLIENT INFO. */
    void describedBy(String info) {
        for (String word : info.trim().split("[ \\n]")) {
            if (word.startsWith("id=")) {
                id = word.substring("id=".length());
            } else if (word.startsWith("addr=")) {
                clientAddress = word.substring("addr=".length());
            }
        }
    }

    @Nullable
    String id() {
        return id;
    }

    @Nullable
    String clientAddress() {
        return clientAddress;
    }
}
