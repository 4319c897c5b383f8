package io.distributedlock.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChildJvmTests {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Answers each line with "echo" and the line; ends at "exit" with the code 3. */
    static final class Echo {
        public static void main(String[] arguments) throws IOException {
            System.out.println("ready " + String.join(",", arguments));
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null && !line.equals("exit"); line = in.readLine()) {
                System.out.println("echo " + line);
            }
            System.exit(3);
        }
    }

    @Test
    void aChildGetsItsArgumentsAndTalksByLines() {
        try (ChildJvm child = ChildJvm.start(Echo.class, "one", "two words")) {
            assertThat(child.nextLine(LONG)).isEqualTo("ready one,two words");
            child.send("a");
            child.send("b");
            assertThat(child.awaitLine(line -> line.endsWith("b"))).isEqualTo("echo b");
            child.send("exit");
            assertThat(child.exitCode()).isEqualTo(3);
            assertThatThrownBy(() -> child.nextLine(LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ended its output");
        }
    }

    @Test
    void aKilledChildIsGone() {
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            child.nextLine(LONG);
            child.kill();
            assertThat(ProcessHandle.of(child.pid())).isEmpty();
            assertThat(child.exitCode()).isEqualTo(137);
        }
    }

    @Test
    void aPausedChildIsSilentUntilItIsResumed() {
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            child.nextLine(LONG);
            child.pause();
            child.send("hello");
            assertThatThrownBy(() -> child.nextLine(Duration.ofMillis(200)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("200 ms");

            child.resume();
            assertThat(child.nextLine(LONG)).isEqualTo("echo hello");
        }
    }

    @Test
    void closingKillsAPausedChild() {
        ChildJvm child = ChildJvm.start(Echo.class);
        child.nextLine(LONG);
        child.pause();
        child.close();
        assertThat(ProcessHandle.of(child.pid())).isEmpty();
    }
}
