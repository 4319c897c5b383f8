package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.connection.ConnectionRegistry;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockClientOptionsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final RedisServer server = RedisServer.start();
    private final Map<ChannelOption<?>, Object> ofTheSocket = new HashMap<>();
    private final LockClientOptions safety = new LockClientOptions(new ConnectionRegistry(TIMEOUT, List.of()), TIMEOUT);
    private final ClientResources base = DefaultClientResources.builder()
            .nettyCustomizer(new NettyCustomizer() {
                @Override
                public void afterBootstrapInitialized(Bootstrap bootstrap) {
                    ofTheSocket.putAll(bootstrap.config().options());
                }
            })
            .build();

    @AfterEach
    void close() {
        safety.close();
        base.shutdown();
        server.close();
    }

    private void connectWith(SocketOptions ofTheApplication) {
        RedisClient client = RedisClient.create(safety.resources(base), RedisURI.create(server.uri()));
        client.setOptions(safety.options(
                ClientOptions.builder().socketOptions(ofTheApplication).build()));
        client.connect().close();
        client.shutdown();
    }

    private Object optionOfTheSocket(String name) {
        return ofTheSocket.entrySet().stream()
                .filter(option -> option.getKey().name().endsWith(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void idleConnectionsAreKeptAliveAfterSecondsAndNotAfterTheHoursOfTheSystem() {
        connectWith(SocketOptions.builder().keepAlive(true).build());
        assertThat(ofTheSocket).containsEntry(ChannelOption.SO_KEEPALIVE, true);
        assertThat(optionOfTheSocket("TCP_KEEPIDLE")).isEqualTo(13);
        assertThat(optionOfTheSocket("TCP_KEEPINTERVAL")).isEqualTo(13);
        assertThat(optionOfTheSocket("TCP_KEEPCOUNT")).isEqualTo(3);
    }

    @Test
    void anApplicationsOwnTimesOfKeepAliveAreKept() {
        KeepAliveOptions own = KeepAliveOptions.builder()
                .enable()
                .idle(Duration.ofSeconds(30))
                .interval(Duration.ofSeconds(5))
                .count(7)
                .build();
        connectWith(SocketOptions.builder().keepAlive(own).build());
        assertThat(optionOfTheSocket("TCP_KEEPIDLE")).isEqualTo(30);
        assertThat(optionOfTheSocket("TCP_KEEPINTERVAL")).isEqualTo(5);
        assertThat(optionOfTheSocket("TCP_KEEPCOUNT")).isEqualTo(7);
    }
}
