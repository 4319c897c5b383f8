package io.distributedlock.spring.autoconfigure;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

/** The Sentinels of an application and how to be let in at the nodes that they watch, in the driver's words: what the connection factory keeps to itself. */
final class SentinelAddress {

    private SentinelAddress() {}

    static RedisURI of(RedisSentinelConfiguration sentinels, LettuceClientConfiguration settings, Duration timeout) {
        RedisURI address = LettuceConverters.sentinelConfigurationToRedisURI(sentinels);
        adapt(address, settings, timeout);
        address.getSentinels().forEach(sentinel -> adapt(sentinel, settings, timeout));
        settings.getRedisCredentialsProviderFactory().ifPresent(providers -> {
            address.setCredentialsProvider(providers.createCredentialsProvider(sentinels));
            address.getSentinels()
                    .forEach(sentinel ->
                            sentinel.setCredentialsProvider(providers.createSentinelCredentialsProvider(sentinels)));
        });
        return address;
    }

    private static void adapt(RedisURI address, LettuceClientConfiguration settings, Duration timeout) {
        address.setTimeout(timeout);
        address.setSsl(settings.isUseSsl());
        address.setStartTls(settings.isStartTls());
        address.setVerifyPeer(settings.getVerifyMode());
        settings.getClientName().ifPresent(address::setClientName);
    }
}
