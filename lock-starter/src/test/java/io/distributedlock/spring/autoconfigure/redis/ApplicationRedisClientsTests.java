package io.distributedlock.spring.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.LockClientOptions;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class ApplicationRedisClientsTests {

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
    void locksGetAClientThatLeadsToTheDatabaseOfTheApplicationUnderANameOfTheirOwn() {
        try (RedisLockStore store =
                new RedisLockStore(new RedisLockConnection(clients, Duration.ofSeconds(1)), "lock")) {
            store.ready().toCompletableFuture().join();
            RedisClient client = (RedisClient) clients.last.get();
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                assertThat(connection.sync().clientInfo()).contains(" db=3 ").contains(" name=distributed-lock ");
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
        public AbstractRedisClient open(LockClientOptions safety) {
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
