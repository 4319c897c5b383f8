package io.distributedlock.spring.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuorumAddressesTests {

    @Test
    void anAddressCanHaveCredentialsADatabaseAndTls() {
        Map<String, RedisURI> nodes = QuorumAddresses.of(
                List.of("redis://Alpha", "redis://shop:se%40cret@beta:7/3", "rediss://:secret@gamma:8"));
        assertThat(nodes).containsOnlyKeys("alpha:6379", "beta:7", "gamma:8");
        assertThat(nodes.get("beta:7").getDatabase()).isEqualTo(3);
        assertThat(nodes.get("beta:7")
                        .getCredentialsProvider()
                        .resolveCredentials()
                        .block())
                .extracting(RedisCredentials::getUsername)
                .isEqualTo("shop");
        assertThat(nodes.get("gamma:8").isSsl()).isTrue();
    }
}
