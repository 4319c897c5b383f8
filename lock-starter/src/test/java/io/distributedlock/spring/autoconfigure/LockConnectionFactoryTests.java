package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.redis.ConnectionSafety;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisConnections;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class LockConnectionFactoryTests {

    private final RedisServer server = RedisServer.start();
    private final LettuceConnectionFactory application =
            new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
    private final Recorder clients = new Recorder(new ApplicationRedisClients(application));

    @BeforeEach
    void start() {
        application.getStandaloneConfiguration().setDatabase(3);
        application.afterPropertiesSet();
    }

    @AfterEach
    void stop() {
        application.destroy();
        server.close();
    }

    @Test
    void locksGetAClientWithoutBlockingCommandsThatLeadsToTheDatabaseOfTheApplication() {
        try (RedisLockStore store = new RedisLockStore(new RedisConnections(clients, Duration.ofSeconds(1)), "lock")) {
            store.ready().toCompletableFuture().join();
            RedisClient client = (RedisClient) clients.last.get();
            try (StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub(StringCodec.UTF8)) {
                assertThat(connection.async().clientInfo().toCompletableFuture().join())
                        .contains(" db=3 ")
                        .contains(" name=distributed-lock ");
                assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(connection::sync);
            }
        }
    }

    private static final class Recorder implements RedisClientSource {

        private final AtomicReference<AbstractRedisClient> last = new AtomicReference<>();
        private final RedisClientSource source;

        Recorder(RedisClientSource source) {
            this.source = source;
        }

        @Override
        public AbstractRedisClient open(ConnectionSafety safety) {
            AbstractRedisClient client = source.open(safety);
            last.set(client);
            return client;
        }

        @Override
        public void close(AbstractRedisClient client) {
            source.close(client);
        }
    }
}
