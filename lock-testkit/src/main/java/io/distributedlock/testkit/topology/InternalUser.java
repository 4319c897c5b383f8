package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.server.RedisServer;
import java.util.List;

/**
 * The user as whom servers speak with each other, so that one can be cut off from the others while its clients still
 * reach it. Clients have to give a password, or everybody could do without being a user.
 */
record InternalUser(String name, String password, String clientPassword) {

    /** What a server needs to know the user, and to be it towards its master. */
    List<String> arguments() {
        return List.of(
                "--user",
                name,
                "on",
                ">" + password,
                "~*",
                "&*",
                "+@all",
                "--masteruser",
                name,
                "--masterauth",
                password,
                "--requirepass",
                clientPassword);
    }

    void lockOut(RedisServer server) {
        server.command("ACL", "SETUSER", name, "off");
        server.command("CLIENT", "KILL", "USER", name);
    }

    void letIn(RedisServer server) {
        server.command("ACL", "SETUSER", name, "on");
    }
}
