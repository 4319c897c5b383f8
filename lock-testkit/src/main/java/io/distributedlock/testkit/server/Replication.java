package io.distributedlock.testkit.server;

import io.distributedlock.testkit.process.Polling;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Who copies from whom. */
public final class Replication {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern LINK_UP = Pattern.compile("master_link_status:up");

    private Replication() {}

    /** Makes a server the replica of another one, and returns when it is in sync. */
    public static void follow(RedisServer replica, RedisServer master) {
        replica.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        master.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        replica.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
        awaitLink(replica);
    }

    public static void awaitLink(RedisServer replica) {
        Polling.until(LIMIT, "the replica on port " + replica.port() + " to be in sync", () -> isInSync(replica));
    }

    public static boolean isInSync(RedisServer replica) {
        return LINK_UP.matcher(String.valueOf(replica.command("INFO", "replication")))
                .find();
    }

    public static boolean isMaster(RedisServer server) {
        return server.command("ROLE") instanceof List<?> role && "master".equals(role.get(0));
    }

    /**
     * Lets a paused server go on and starts a dead one again; it believes to be what it was before it paused, or a
     * master.
     */
    public static void revive(RedisServer server) {
        if (server.isAlive()) {
            server.resume();
        } else {
            server.restart();
        }
    }
}
