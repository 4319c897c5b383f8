package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

class SentinelAddressTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final RedisSentinelConfiguration sentinels =
            new RedisSentinelConfiguration("shop", Set.of("first:26379", "second:26380"));

    @Test
    void sentinelsAndNodesAreAskedWithTheCredentialsOfEach() {
        sentinels.setUsername("locks");
        sentinels.setPassword("of-nodes");
        sentinels.setSentinelPassword("of-sentinels");
        RedisURI address = SentinelAddress.of(sentinels, LettuceClientConfiguration.defaultConfiguration(), TIMEOUT);
        assertThat(address.getSentinelMasterId()).isEqualTo("shop");
        assertThat(address.getTimeout()).isEqualTo(TIMEOUT);
        assertThat(credentials(address).getUsername()).isEqualTo("locks");
        assertThat(credentials(address).getPassword()).isEqualTo("of-nodes".toCharArray());
        assertThat(address.getSentinels()).hasSize(2).allSatisfy(sentinel -> {
            assertThat(sentinel.getTimeout()).isEqualTo(TIMEOUT);
            assertThat(credentials(sentinel).getPassword()).isEqualTo("of-sentinels".toCharArray());
        });
    }

    @Test
    void sentinelsAndNodesAreSpokenToOverTlsWhereTheApplicationDoesSo() {
        LettuceClientConfiguration settings = LettuceClientConfiguration.builder()
                .useSsl()
                .verifyPeer(SslVerifyMode.CA)
                .build();
        RedisURI address = SentinelAddress.of(sentinels, settings, TIMEOUT);
        assertThat(address.isSsl()).isTrue();
        assertThat(address.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
        assertThat(address.getSentinels()).allMatch(RedisURI::isSsl);
    }

    private static RedisCredentials credentials(RedisURI address) {
        return address.getCredentialsProvider().resolveCredentials().block();
    }
}
