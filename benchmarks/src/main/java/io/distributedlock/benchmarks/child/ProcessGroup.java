package io.distributedlock.benchmarks.child;

import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.testkit.history.MutualExclusionWord;
import io.distributedlock.testkit.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Some child processes that use the same peer, and the word in which they see each other inside. For one thread at a
 * time.
 */
public final class ProcessGroup implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final List<ChildJvm> members = new ArrayList<>();
    private final Path wordFile;
    private final MutualExclusionWord word;

    private ProcessGroup(Path wordFile) {
        this.wordFile = wordFile;
        this.word = MutualExclusionWord.open(wordFile, 1);
    }

    /**
     * Starts the processes and waits until they have connected.
     *
     * @param heap the largest heap of each, as {@code -Xmx} wants it
     * @param clients how many clients each of them opens
     * @throws IllegalStateException if one of them can't
     */
    public static ProcessGroup open(Peer peer, int port, int processes, String heap, int clients) {
        ProcessGroup group = new ProcessGroup(temporaryFile());
        try {
            for (int process = 0; process < processes; process++) {
                group.members.add(ChildJvm.start(
                        List.of("-Xmx" + heap),
                        PeerProcess.class,
                        peer.name(),
                        String.valueOf(port),
                        String.valueOf(clients),
                        group.wordFile.toString()));
            }
            group.members.forEach(ProcessGroup::awaitReady);
            return group;
        } catch (RuntimeException failure) {
            group.close();
            throw failure;
        }
    }

    /** Gives all of them the same order and waits for what comes of it. */
    public List<Outcome> all(Order order) {
        return each(member -> order);
    }

    /** Gives each of them its own order, by its number, and waits for what comes of it. */
    public List<Outcome> each(IntFunction<Order> orders) {
        List<Order> given = IntStream.range(0, members.size()).mapToObj(orders).toList();
        for (int member = 0; member < given.size(); member++) {
            begin(member, given.get(member));
        }
        return IntStream.range(0, given.size())
                .mapToObj(member -> end(member, given.get(member)))
                .toList();
    }

    /** Gives one of them an order, without waiting for what comes of it. */
    public void begin(int member, Order order) {
        send(members.get(member), order);
    }

    /**
     * Waits for what has come of {@link #begin}.
     *
     * @throws IllegalStateException if the process has ended or hangs
     */
    public Outcome end(int member, Order order) {
        return outcome(members.get(member), order);
    }

    /** How often a thread has found another one inside up to now. */
    public long overlaps() {
        return word.overlaps();
    }

    private static void awaitReady(ChildJvm member) {
        String line = member.awaitLine(
                each -> each.equals(PeerProcess.READY) || each.startsWith(PeerProcess.FAILED), START_LIMIT);
        if (!line.equals(PeerProcess.READY)) {
            throw new IllegalStateException(line.substring(PeerProcess.FAILED.length()));
        }
    }

    private static void send(ChildJvm member, Order order) {
        member.send(PeerProcess.JSON.writeValueAsString(order));
    }

    private static Outcome outcome(ChildJvm member, Order order) {
        String line = member.awaitLine(each -> each.startsWith("{"), order.limit());
        return PeerProcess.JSON.readValue(line, Outcome.class);
    }

    private static Path temporaryFile() {
        try {
            return Files.createTempFile("exclusion", ".word");
        } catch (IOException e) {
            throw new UncheckedIOException("could not create a temporary file", e);
        }
    }

    @Override
    public void close() {
        members.forEach(ChildJvm::close);
        try {
            Files.deleteIfExists(wordFile);
        } catch (IOException e) {
            throw new UncheckedIOException("could not delete " + wordFile, e);
        }
    }
}
