package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.testkit.server.RedisServer;
import java.util.ArrayList;
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
    private List<Object> channelsOfOneThatLocks(ApplicationContextRunner application) {
        List<Object> channels = new ArrayList<>();
        application.run(context -> {
            context.getBean(LockClient.class).acquire("42").release();
            channels.addAll((List<?>) server.command("PUBSUB", "CHANNELS", "lock:*"));
        });
        return channels;
    }

    @Test
    void anApplicationListensOnAChannelOfItsOwnAndOnThatOfForcedReleases() {
        assertThat(channelsOfOneThatLocks(contexts()))
                .hasSize(2)
                .contains("lock:forced")
                .anySatisfy(channel -> assertThat(String.valueOf(channel)).startsWith("lock:grants:"));
    }

    @Test
    void switchedOffItListensToNothing() {
        assertThat(channelsOfOneThatLocks(contexts().withPropertyValues("distributed-lock.redis.notifications=false")))
                .isEmpty();
    }
}
