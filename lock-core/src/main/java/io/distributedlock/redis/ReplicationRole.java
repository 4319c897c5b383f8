package io.distributedlock.redis;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server is a replica that has been promoted. That takes one and the same process, seen first as a replica and then as a master: a former
 * master that has come back is none, nor a replica that was started again and has forgotten what it was.
 *
 * @param replica the id of the process that was a replica, if one was seen
 */
record ReplicationRole(@Nullable String replica, boolean isPromoted) {

    static final ReplicationRole UNKNOWN = new ReplicationRole(null, false);

    /** @param words what a Sentinel says about a replica: what it was when the Sentinel asked it last */
    static ReplicationRole reported(Map<String, String> words) {
        String process = words.getOrDefault("runid", "");
        boolean replica = "slave".equals(words.get("role-reported")) && !process.isEmpty();
        return replica ? new ReplicationRole(process, false) : UNKNOWN;
    }

    /** @param facts what the server says about itself in INFO */
    ReplicationRole after(Map<String, String> facts) {
        String process = facts.getOrDefault("run_id", "");
        return switch (facts.getOrDefault("role", "")) {
            case "slave" -> new ReplicationRole(process, false);
            case "master" -> new ReplicationRole(replica, !process.isEmpty() && process.equals(replica));
            default -> UNKNOWN;
        };
    }

    /** It does not answer. When it does again, it may be another process. */
    ReplicationRole whenLost() {
        return new ReplicationRole(replica, false);
    }
}
