package io.distributedlock.redis.connection;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection, as the server knows it. What was sent on it can be executed as long as the server has not noticed
 * its end, which may be long after we have.
 */
final class ConnectionIdentity {

    private final String server;
    private volatile boolean used;
    private volatile @Nullable String id;
    private volatile @Nullable String clientAddress;

    ConnectionIdentity(String server) {
        this.server = server;
    }

    /** The same for every connection to one server, whatever host name led there. */
    static String nameOf(@Nullable SocketAddress server) {
        return server instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : String.valueOf(server);
    }

    String server() {
        return server;
    }

    /** A command about a lock was sent on it, so that its end leaves something in doubt. */
    void use() {
        used = true;
    }

    boolean isUsed() {
        return used;
    }

    /** Takes the server's words for this connection from the reply to CLIENT INFO. */
    void describedBy(String info) {
        for (String word : info.trim().split("[ \\n]")) {
            if (word.startsWith("id=")) {
                id = word.substring("id=".length());
            } else if (word.startsWith("addr=")) {
                clientAddress = addressOf(word.substring("addr=".length()));
            }
        }
    }

    /** Null for a Unix socket, whose clients share one: an id alone may be reused after a restart of the server. */
    private static @Nullable String addressOf(String text) {
        return text.endsWith(":0") ? null : text;
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
