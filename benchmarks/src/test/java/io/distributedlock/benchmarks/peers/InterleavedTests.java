package io.distributedlock.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.figures.Spread;
import io.distributedlock.benchmarks.peer.Peer;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InterleavedTests {

    private static final Peer A = peer("a");
    private static final Peer B = peer("b");
    private static final Peer C = peer("c");
    private final List<Peer> played = new ArrayList<>();
    private final RunOptions setting = setting(Deadline.NONE);

    @Test
    void everyRoundBeginsWithAnotherPeer() {
        List<ResultLine> lines = new Interleaved("case", setting).run(setting.peers(), this::run);

        assertThat(played).containsExactly(A, B, C, B, C, A, C, A, B);
        assertThat(lines).extracting(ResultLine::peer).containsExactly(A, B, C);
        assertThat(lines.get(0).series().spread("turn")).contains(new Spread(6, 1, 8));
    }

    @Test
    void withoutTimeThereIsOneRound() {
        List<ResultLine> lines =
                new Interleaved("case", setting(Deadline.in(Duration.ZERO))).run(setting.peers(), this::run);

        assertThat(played).containsExactly(A, B, C);
        assertThat(lines).hasSize(3);
    }

    @Test
    void whoFailsIsLeftOutFromThenOnAndSaysSo() {
        List<ResultLine> lines = new Interleaved("case", setting).run(setting.peers(), peer -> {
            if (peer.equals(B) && played.contains(B)) {
                throw new IllegalStateException("it hung");
            }
            return run(peer);
        });

        assertThat(played).containsExactly(A, B, C, C, A, C, A);
        assertThat(lines.get(1).series().remarks()).containsExactly("FAILED: it hung");
        assertThat(lines.get(1).series().spread("turn")).contains(new Spread(2, 2, 2));
        assertThat(lines.get(2).series().remarks()).isEmpty();
    }

    @Test
    void whoCantBeStartedFailsInItsFirstRound() {
        try (StartedPeers<String> started =
                new StartedPeers<>(List.of(A, B), setting, InterleavedTests::start, each -> {})) {
            List<ResultLine> lines = new Interleaved("case", setting)
                    .run(
                            List.of(A, B),
                            peer -> Round.of(
                                    Map.of("length", (double) started.of(peer).length())));

            assertThat(lines.get(0).series().spread("length")).contains(new Spread(1, 1, 1));
            assertThat(lines.get(1).series().remarks()).containsExactly("FAILED: not started: no memory");
        }
    }

    @Test
    void whoCantBeClosedKeepsNoOtherOpen() {
        List<String> closed = new ArrayList<>();
        StartedPeers<String> started = new StartedPeers<>(List.of(A, B, C), setting, Peer::name, each -> {
            closed.add(each);
            throw new IllegalStateException("it hangs");
        });

        started.close();

        assertThat(closed).containsExactlyInAnyOrder("a", "b", "c");
    }

    private static RunOptions setting(Deadline deadline) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true);
        return new RunOptions(List.of(A, B, C), Scale.FULL, deadline, Optional.empty(), nowhere);
    }

    private static String start(Peer peer) {
        if (peer.equals(B)) {
            throw new IllegalStateException("no memory");
        }
        return peer.name();
    }

    private Round run(Peer peer) {
        played.add(peer);
        return Round.of(Map.of("turn", (double) played.size()));
    }

    private static Peer peer(String name) {
        return new Peer(name, Set.of(), port -> {
            throw new UnsupportedOperationException("no caller opens it here");
        });
    }
}
