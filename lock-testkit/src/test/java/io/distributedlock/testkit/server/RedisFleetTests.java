package io.distributedlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RedisFleetTests {
    @Test
    void theServersKnowNothingOfEachOther() {
        try (RedisFleet fleet = RedisFleet.start(5)) {
            fleet.server(0).command("SET", "k", "v");
            assertThat(fleet.servers().stream().skip(1))
                    .allSatisfy(server -> assertThat(server.command("GET", "k")).isNull());
            assertThat(fleet.uris()).doesNotHaveDuplicates().hasSize(5);
        }
    }

    @Test
    void thosePausedOrKilledAreNotAmongTheRunning() {
        try (RedisFleet fleet = RedisFleet.start(3)) {
            fleet.server(0).pause();
            fleet.server(1).kill();
            assertThat(fleet.running()).containsExactly(fleet.server(2));
            fleet.server(0).resume();
            fleet.server(1).restart();
            assertThat(fleet.running()).hasSize(3);
        }
    }

    @Test
    void allProcessesEndWithTheFleet() {
        RedisFleet fleet = RedisFleet.start(3);
        List<RedisServer> servers = fleet.servers();
        servers.get(0).pause();
        fleet.close();
        assertThat(servers).noneMatch(RedisServer::isAlive);
    }

    @Test
    void ifOneDoesNotStartNoneIsLeft() {
        long before = children();
        assertThatThrownBy(() -> RedisFleet.start(3, "--no-such-setting", "1").close())
                .isInstanceOf(IllegalStateException.class);
        assertThat(children()).isEqualTo(before);
    }

    private static long children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    }
}
