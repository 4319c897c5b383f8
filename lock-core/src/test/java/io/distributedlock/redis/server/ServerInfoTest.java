package io.distributedlock.redis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerInfoTest {

    @ParameterizedTest
    @ValueSource(strings = {"5.0.14", "6.0.20"})
    void aRedisWithoutGetexIsTooOld(String version) {
        assertThat(ofHello("server", "redis", "version", version))
                .singleElement()
                .asString()
                .contains("version " + version, "Redis 6.2 or newer");
    }

    @ParameterizedTest
    @CsvSource({"redis,6.2.0", "redis,7.0.15", "redis,10.1", "redis,7", "valkey,8.0.1", "valkey,1.0.0", "redis,unstable"
    })
    void othersAreNot(String server, String version) {
        assertThat(ofHello("server", server, "version", version)).isEmpty();
    }

    @Test
    void aServerThatSaysNothingOfItselfIsNotJudged() {
        assertThat(ServerInfo.ofHello(Optional.empty())).isEmpty();
    }

    @Test
    void aReplicaIsNoPlaceForLocks() {
        assertThat(ofHello("server", "redis", "version", "7.0.15", "role", "replica"))
                .singleElement()
                .asString()
                .contains("is a replica", "name the master");
        assertThat(ofHello("role", "master")).isEmpty();
    }

    private static List<String> ofHello(String... words) {
        return ServerInfo.ofHello(Optional.of(List.of((Object[]) words)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"volatile-lru", "volatile-ttl", "allkeys-random", "allkeys-lfu"})
    void aPolicyThatEvictsIsNamed(String policy) {
        assertThat(ServerInfo.evictionRisk(info("1048576", policy)).orElseThrow())
                .contains("maxmemory-policy " + policy, "noeviction");
    }

    @Test
    void aPolicyThatEvictsNothingOrNeverAppliesIsNoRisk() {
        assertThat(ServerInfo.evictionRisk(info("1048576", "noeviction"))).isEmpty();
        assertThat(ServerInfo.evictionRisk(info("0", "allkeys-lru"))).isEmpty();
        assertThat(ServerInfo.evictionRisk("")).isEmpty();
    }

    private static String info(String maxmemory, String policy) {
        return "# Memory\r\nused_memory:1\r\nmaxmemory:" + maxmemory + "\r\nmaxmemory_policy:" + policy + "\r\n";
    }
}
