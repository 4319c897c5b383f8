package io.distributedlock.benchmarks.cycle;

import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A JVM in which JMH measures cycles of one peer. It stays for several runs, so that its code is compiled once. For one
 * thread at a time.
 */
public final class CycleChild implements AutoCloseable {

    private static final String HEAP = "-Xmx1g";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ChildJvm process;

    private CycleChild(ChildJvm process) {
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param port of Redis on 127.0.0.1
     * @param jvmOptions further options of that JVM
     */
    public static CycleChild start(Peer peer, int port, String... jvmOptions) {
        List<String> options =
                Stream.concat(Stream.of(HEAP), Stream.of(jvmOptions)).toList();
        return new CycleChild(ChildJvm.start(options, CycleProcess.class, peer.name(), String.valueOf(port)));
    }

    /**
     * Lets so many threads take and release locks of their own.
     *
     * @throws IllegalStateException if the peer fails
     */
    public Round run(int threads, Duration warmUp, Duration length) {
        process.send(CycleProcess.JSON.writeValueAsString(new CycleRun(threads, warmUp, length)));
        JsonNode answer = CycleProcess.JSON.readTree(process.awaitLine(line -> line.startsWith("{"), LIMIT));
        if (answer.has(CycleProcess.FAILURE)) {
            throw new IllegalStateException(answer.get(CycleProcess.FAILURE).asString());
        }
        Map<String, Double> values = answer.properties().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().asDouble(),
                        (one, two) -> two,
                        LinkedHashMap::new));
        return Round.of(values);
    }

    /** Ends it in order, so that it writes down what it has recorded. */
    public void finish() {
        process.send(CycleProcess.END);
        int code = process.exitCode();
        if (code != 0) {
            throw new IllegalStateException("the recorded process ended with code " + code);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
