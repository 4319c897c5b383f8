package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.server.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A node of a cluster as another node sees it: one line of CLUSTER NODES.
 *
 * @param master the id of the node that it copies; a dash for a master
 * @param slots the slots that it serves: numbers and ranges of numbers
 */
record ClusterNode(String id, int port, Set<String> flags, String master, List<String> slots) {
    static List<ClusterNode> seenBy(RedisServer server) {
        return String.valueOf(server.command("CLUSTER", "NODES"))
                .lines()
                .map(ClusterNode::parse)
                .toList();
    }

    private static ClusterNode parse(String line) {
        String[] words = line.split(" ");
        String address = words[1].substring(0, words[1].indexOf('@'));
        List<String> slots = Arrays.stream(words)
                .skip(8)
                .filter(word -> !word.startsWith("["))
                .toList();
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return new ClusterNode(words[0], port, Set.of(words[2].split(",")), words[3], slots);
    }

    boolean isMaster() {
        return flags.contains("master") && !isFailed();
    }

    boolean isFailed() {
        return flags.contains("fail") || flags.contains("fail?");
    }

    boolean serves(int slot) {
        return slots.stream().anyMatch(range -> {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = Integer.parseInt(range.substring(dash + 1));
            return first <= slot && slot <= last;
        });
    }
}
