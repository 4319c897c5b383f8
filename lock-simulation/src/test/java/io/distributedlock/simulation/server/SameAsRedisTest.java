package io.distributedlock.simulation.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The simulated Redis answers as a real one does: random commands and the real scripts, on the same clock. */
class SameAsRedisTest {

    private static final int SEQUENCES = Integer.getInteger("simulation.sequences", 40);
    private static final int COMMANDS = 60;
    /** Between the clocks, and between the arrivals of a command here and there. */
    private static final long APART_MILLIS = 5_000;

    private static final int LONG = 60;
    private static final long BIG = 1_000_000_000_000_000L;

    private RedisServer real;
    private RespClient client;
    private RespClient listener;
    private SimulatedRedis simulated;
    private Session session;
    private final List<Object> answers = new ArrayList<>();
    private final List<Object> messages = new ArrayList<>();
    private long ahead;

    @BeforeEach
    void start() {
        real = RedisServer.start();
        client = RespClient.connect(real.port());
        List<?> time = (List<?>) client.command("TIME");
        ahead = Long.parseLong((String) time.get(0)) * 1_000_000
                + Long.parseLong((String) time.get(1))
                - System.nanoTime() / 1_000;
        simulated = new SimulatedRedis(kind(), () -> ahead + System.nanoTime() / 1_000);
        session = simulated.open("test", bytes -> answers.add(Answers.read(bytes)));
        Session heard = simulated.open("listener", bytes -> messages.add(Answers.read(bytes)));
        heard.receive(Answers.command("SUBSCRIBE", RandomCommands.CHANNEL));
        listener = RespClient.connect(real.port());
        listener.command("SUBSCRIBE", RandomCommands.CHANNEL);
        messages.clear();
    }

    @AfterEach
    void stop() {
        client.close();
        listener.close();
        real.close();
    }

    private ServerKind kind() {
        String command = System.getProperty("distributedlock.redis-server", "");
        return command.contains("valkey") && has("DELIFEQ") ? ServerKind.VALKEY_9 : ServerKind.REDIS_7;
    }

    private boolean has(String command) {
        return ((List<?>) client.command("COMMAND", "INFO", command)).get(0) != null;
    }

    @Test
    void randomSequencesOfCommandsAndScriptsHaveTheSameAnswers() {
        long compared = 0;
        for (long seed = 1; seed <= SEQUENCES; seed++) {
            compare("FLUSHALL");
            List<String> log = new ArrayList<>();
            RandomCommands commands = new RandomCommands(seed);
            for (int i = 0; i < COMMANDS; i++) {
                String[] words = commands.next();
                log.add(Stream.of(words)
                        .map(word -> word.length() < LONG ? word : word.substring(0, LONG))
                        .toList()
                        .toString());
                assertThat(compare(words))
                        .as("seed " + seed + " after\n" + String.join("\n", log))
                        .isEmpty();
                compared++;
            }
        }
        compareMessages();
        System.out.println("simulation: compared with " + real(client.command("INFO", "server")) + ": commands: "
                + compared + " messages: " + messages.size());
    }

    @Test
    void aKeyExpiresInBoth() {
        compare("SET", "brief", "value", "PX", "1");
        await().until(() -> Long.valueOf(-2).equals(client.command("PTTL", "brief")));
        assertThat(compare("GET", "brief")).isEmpty();
        assertThat(compare("SET", "brief", "other", "NX")).isEmpty();
    }

    @Test
    void aCommandThatComparesHasTheSameAnswers() {
        for (String[] words : List.of(
                new String[] {"SET", "a", "o1", "IFEQ", "o2", "PX", "40000"},
                new String[] {"SET", "a", "o1"},
                new String[] {"SET", "a", "o2", "IFEQ", "o1", "PX", "40000"},
                new String[] {"DELIFEQ", "a", "o1"},
                new String[] {"PTTL", "a"},
                new String[] {"DELIFEQ", "a", "o2"},
                new String[] {"DELIFEQ", "a", "o2"})) {
            assertThat(compare(words)).isEmpty();
        }
    }

    private static String real(Object info) {
        return ((String) info)
                .lines()
                .filter(line -> line.startsWith("valkey_version") || line.startsWith("redis_version"))
                .reduce((first, last) -> last)
                .orElse("");
    }

    /** Returns what is different; empty if nothing is. */
    private String compare(String... words) {
        Object expected;
        try {
            expected = client.command(words);
        } catch (RespError error) {
            expected = error;
        }
        answers.clear();
        session.receive(Answers.command(words));
        Object actual = answers.get(0);
        return isSame(expected, actual) ? "" : "real: " + expected + " simulated: " + actual;
    }

    private void compareMessages() {
        for (Object message : messages) {
            Object expected = listener.receive();
            assertThat(isSame(expected, message)).as(expected + " / " + message).isTrue();
        }
    }

    private static boolean isSame(Object expected, Object actual) {
        if (expected instanceof RespError error && actual instanceof Reply.Failure other) {
            return error.code().equals(other.text().split(" ", 2)[0]);
        }
        if (expected instanceof Long one && actual instanceof Long other) {
            long apart = Math.abs(one - other);
            return apart == 0 || (one > BIG ? apart < APART_MILLIS * 1_000 : one > 1_000 && apart < APART_MILLIS);
        }
        if (expected instanceof List<?> one && actual instanceof List<?> other) {
            boolean same = one.size() == other.size();
            for (int i = 0; same && i < one.size(); i++) {
                same = isSame(one.get(i), other.get(i));
            }
            return same;
        }
        return String.valueOf(expected).equals(String.valueOf(actual))
                || (expected instanceof String && timeless(expected).equals(timeless(actual)));
    }

    /** The text without instants, which differ a little, and without digests and names of runs. */
    private static String timeless(Object text) {
        return String.valueOf(text).replaceAll("[0-9a-f]{40}", "hash").replaceAll("[0-9]{12,}", "time");
    }
}
