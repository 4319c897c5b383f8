package io.distributedlock.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReservedPortTests {
    private static final int MANY = 1_000;

    /** A fork of tests that draws many ports, and is done with each at once. */
    static final class Fork {
        public static void main(String[] arguments) throws IOException {
            System.out.println(String.join(
                    " ", draws(MANY).stream().map(String::valueOf).distinct().toList()));
            int end = System.in.read();
            System.exit(end);
        }
    }

    private static List<Integer> draws(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            try (ReservedPort port = ReservedPort.any()) {
                numbers.add(port.number());
            }
        }
        return numbers;
    }

    @Test
    void twoForksNeverDrawTheSamePort() {
        try (ChildJvm one = ChildJvm.start(Fork.class);
                ChildJvm other = ChildJvm.start(Fork.class)) {
            List<Integer> all = Stream.of(one, other)
                    .flatMap(fork ->
                            Arrays.stream(fork.nextLine(Duration.ofMinutes(1)).split(" ")))
                    .map(Integer::valueOf)
                    .toList();
            assertThat(all).doesNotHaveDuplicates().doesNotContainAnyElementsOf(draws(MANY));
        }
    }

    @Test
    void aPortThatWasClosedIsDrawnAgainAfterAllOthers() {
        assertThat(draws(PortBlock.SIZE / 2)).doesNotHaveDuplicates();
    }

    @Test
    void noTwoServersOfAJvmHaveTheSamePort() {
        List<ReservedPort> held = new ArrayList<>();
        try {
            IntStream.range(0, PortBlock.SIZE / 2).forEach(i -> held.add(ReservedPort.any()));
            assertThat(held.stream().map(ReservedPort::number)).doesNotHaveDuplicates();
            assertThat(draws(MANY))
                    .doesNotContainAnyElementsOf(
                            held.stream().map(ReservedPort::number).toList());
        } finally {
            held.forEach(ReservedPort::close);
        }
    }

    /** The Sentinels that a killed JVM leaves behind would make a new server at their master's port a replica. */
    @Test
    void aBlockInWhichAServerListensIsLeftAlone() throws IOException {
        PortBlock block = PortBlock.any();
        block.close();
        try (ServerSocket leftBehind = new ServerSocket()) {
            leftBehind.bind(new InetSocketAddress("127.0.0.1", block.last()));
            assertThat(PortBlock.of(block.place())).isEmpty();
        }
    }
}
