package io.distributedlock.benchmarks.child;

import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Hold;
import io.distributedlock.benchmarks.peer.Opening;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.benchmarks.peer.PeerClient;
import io.distributedlock.testkit.history.MutualExclusionWord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.LogManager;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The child process: it opens clients of a peer, says {@value #READY}, and then answers each order that it reads with
 * an outcome, one line of JSON each. Its arguments are the peer, the port of Redis, the number of clients, and the file
 * of the mutual exclusion word.
 */
final class PeerProcess {

    static final String READY = "ready";
    static final String FAILED = "failed: ";
    static final JsonMapper JSON = JsonMapper.shared();

    private final List<PeerClient> clients;
    private final Loop loop;
    private @Nullable Hold hold;

    private PeerProcess(List<PeerClient> clients, MutualExclusionWord word) {
        this.clients = clients;
        this.loop = new Loop(clients, word);
    }

    public static void main(String[] arguments) {
        LogManager.getLogManager().reset();
        try {
            PeerProcess process = open(arguments);
            System.out.println(READY);
            process.serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        } catch (IOException | RuntimeException failure) {
            System.out.println(FAILED + Outcome.text(failure));
        }
        // Threads that some of the libraries leave behind would keep the process alive.
        Runtime.getRuntime().halt(0);
    }

    private static PeerProcess open(String[] arguments) {
        Peer peer = Catalogue.named(arguments[0]).orElseThrow();
        int port = Integer.parseInt(arguments[1]);
        List<PeerClient> clients = IntStream.range(0, Integer.parseInt(arguments[2]))
                .mapToObj(client -> Opening.of(peer, port))
                .toList();
        return new PeerProcess(clients, MutualExclusionWord.open(Path.of(arguments[3]), 1));
    }

    private void serve(BufferedReader orders) throws IOException {
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            System.out.println(JSON.writeValueAsString(outcomeOf(JSON.readValue(line, Order.class))));
        }
    }

    private Outcome outcomeOf(Order order) {
        try {
            return switch (order.kind()) {
                case LOOP -> loop.run(order);
                case ACQUIRE -> acquire(order);
                case RELEASE -> release();
            };
        } catch (RuntimeException failed) {
            return Outcome.failed(failed);
        }
    }

    private Outcome acquire(Order order) {
        hold = clients.get(0).acquire(order.key(), order.patience());
        if (hold == null) {
            throw new IllegalStateException("not granted within " + order.patience());
        }
        return Outcome.at(System.nanoTime());
    }

    private Outcome release() {
        Hold held = hold;
        if (held == null) {
            throw new IllegalStateException("there is nothing to release");
        }
        hold = null;
        long called = System.nanoTime();
        held.release();
        return Outcome.at(called);
    }
}
