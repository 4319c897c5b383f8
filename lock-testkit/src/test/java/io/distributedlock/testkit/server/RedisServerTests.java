package io.distributedlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.process.ReservedPort;
import io.distributedlock.testkit.process.TemporaryFolder;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RedisServerTests {
    @Test
    void aStartedServerAnswersCommandsOfEachReplyType() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.command("SET", "k", "v", "PX", "10000")).isEqualTo("OK");
            assertThat(server.command("GET", "k")).isEqualTo("v");
            assertThat(server.command("GET", "absent")).isNull();
            assertThat(server.command("DEL", "k")).isEqualTo(1L);
            assertThat(server.command("EVAL", "return {1, 'two', {3}}", "0"))
                    .isEqualTo(List.of(1L, "two", List.of(3L)));
            assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
        }
    }

    @Test
    void anErrorReplyIsThrownWithItsCode() {
        try (RedisServer server = RedisServer.start()) {
            server.command("HSET", "hash", "field", "value");

            assertThatThrownBy(() -> server.command("GET", "hash"))
                    .isInstanceOfSatisfying(
                            RespError.class, e -> assertThat(e.code()).isEqualTo("WRONGTYPE"));
            assertThat(server.command("PING")).as("after the error").isEqualTo("PONG");
        }
    }

    @Test
    void debugAndProtectedSettingsAreEnabled() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.command("DEBUG", "SLEEP", "0")).isEqualTo("OK");
            assertThat(server.command("CONFIG", "SET", "dir", System.getProperty("java.io.tmpdir")))
                    .isEqualTo("OK");
        }
    }

    @Test
    void aPasswordIsUsedByItsOwnCommandsAndAskedFromOthers() {
        try (RedisServer server = RedisServer.start("--requirepass", "secret");
                RespClient stranger = RespClient.connect(server.port())) {
            assertThat(server.command("PING")).isEqualTo("PONG");
            assertThatThrownBy(() -> stranger.command("GET", "k"))
                    .isInstanceOf(RespError.class)
                    .hasMessageContaining("NOAUTH");
        }
    }

    @Test
    void thePortOfAKilledServerIsTakenByNoOtherUntilItIsClosed() {
        RedisServer server = RedisServer.start();
        int port = server.port();
        server.kill();
        assertThat(ReservedPort.of(port)).isEmpty();
        server.restart();
        assertThat(server.command("PING")).isEqualTo("PONG");
        server.close();
        try (ReservedPort free = ReservedPort.of(port).orElseThrow()) {
            assertThat(free.number()).isEqualTo(port);
        }
    }

    @Test
    void aPausedServerIsSilentUntilItIsResumed() {
        try (RedisServer server = RedisServer.start();
                RespClient impatient = RespClient.connect(server.port(), Duration.ofMillis(200));
                RespClient patient = RespClient.connect(server.port(), Duration.ofSeconds(30))) {
            server.pause();
            patient.send("SET", "k", "late");
            assertThatThrownBy(() -> impatient.command("PING")).isInstanceOf(UncheckedIOException.class);

            server.resume();

            assertThat(patient.receive()).isEqualTo("OK");
            assertThat(server.command("GET", "k")).isEqualTo("late");
        }
    }

    @Test
    void aKilledServerRefusesConnectionsAndComesBackEmptyOnTheSamePort() {
        try (RedisServer server = RedisServer.start()) {
            int port = server.port();
            long pid = server.pid();
            server.command("SET", "k", "v");

            server.kill();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(() -> server.command("PING")).isInstanceOf(UncheckedIOException.class);

            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.command("GET", "k")).isNull();
        }
    }

    @Test
    void aServerWithAnAppendOnlyFileKeepsItsDataOverARestart() {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            server.command("SET", "k", "v");
            server.restart();
            assertThat(server.command("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void aServerCanBeSeenWhileItLoadsItsData() {
        // It looks at its connections every 1,024 commands that it loads, here about twice a second for ten seconds.
        try (RedisServer server =
                RedisServer.start("--appendonly", "yes", "--aof-use-rdb-preamble", "no", "--key-load-delay", "500")) {
            server.command("EVAL", "for i = 1, 20000 do redis.call('SET', 'k' .. i, 'v') end", "0");

            server.restartWithoutWaitingForData();

            assertThatThrownBy(() -> server.command("GET", "k1"))
                    .isInstanceOf(RespError.class)
                    .hasMessageContaining("LOADING");
        }
    }

    @Test
    void closingKillsAPausedServer() {
        RedisServer server = RedisServer.start();
        long pid = server.pid();
        server.pause();
        server.close();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void aWrongArgumentIsReportedWithWhatTheServerSaid() {
        assertThatThrownBy(() -> RedisServer.start("--no-such-setting", "1").close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void aPlatformWithoutAServerIsNamedWithTheWayOut() {
        assertThatThrownBy(() -> EmbeddedBinary.file("7.0", "Windows 11", "amd64"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Windows 11 on amd64")
                .hasMessageContaining("-Ddistributedlock.redis-server");
    }

    @Test
    void serversStartedAtOnceGetPortsOfTheirOwn() {
        List<CompletableFuture<RedisServer>> starts = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> RedisServer.start()))
                .toList();
        List<RedisServer> servers = starts.stream().map(CompletableFuture::join).toList();
        assertThat(servers.stream().map(RedisServer::port).distinct()).hasSize(6);
        servers.forEach(server -> assertThat(server.command("PING")).isEqualTo("PONG"));
        servers.forEach(RedisServer::close);
    }

    @Test
    void aPortTakenByAnotherServerIsReportedAsTaken() throws Exception {
        try (RedisServer first = RedisServer.start();
                TemporaryFolder folder = TemporaryFolder.create("redis")) {
            RedisLaunch same =
                    new RedisLaunch(RedisBinary.current(), first.port(), folder.path(), List.of(), List.of());
            assertThatThrownBy(() -> same.start(true)).isInstanceOf(RedisLaunch.PortTaken.class);
            assertThat(first.command("PING")).isEqualTo("PONG");
        }
    }
}
