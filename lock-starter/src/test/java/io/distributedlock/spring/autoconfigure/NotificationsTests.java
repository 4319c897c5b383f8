package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Whether an application is told when the locks that it waits for are its own. */
class NotificationsTests {

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private ApplicationContextRunner contexts() {
        return Contexts.withRedis().withPropertyValues("spring.data.redis.port=" + server.port());
    }

    /** The subscription is sent before the first lock is. */
    private List<?> channelsOfOneThatLocks(ApplicationContextRunner application) {
        List<?>[] channels = new List<?>[1];
        application.run(context -> {
            context.getBean(LockClient.class).acquire("42").release();
            channels[0] = (List<?>) server.command("PUBSUB", "CHANNELS", "lock:*");
        });
        return channels[0];
    }

    @Test
    void anApplicationListensOnAChannelOfItsOwn() {
        assertThat(channelsOfOneThatLocks(contexts())).hasSize(1);
    }

    @Test
    void switchedOffItListensToNothing() {
        assertThat(channelsOfOneThatLocks(contexts().withPropertyValues("distributed-lock.redis.notifications=false")))
                .isEmpty();
    }
}
