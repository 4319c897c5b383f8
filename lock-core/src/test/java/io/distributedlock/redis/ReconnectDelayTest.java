package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.connection.ConnectionRegistry;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long the driver waits before it tries to open a broken connection again. */
class ReconnectDelayTest {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    @Test
    void theFirstTriesFollowQuickly() {
        assertThat(delay(1)).isLessThanOrEqualTo(Duration.ofMillis(20));
    }

    /** The 63rd try is the first whose power of two does not fit into a long. */
    @ParameterizedTest
    @ValueSource(ints = {62, 63, 64, 1_000_000})
    void theTriesKeepTheirDistanceHoweverLongTheServerIsAway(int attempt) {
        assertThat(delay(attempt)).isEqualTo(Duration.ofMillis(100));
    }

    private static Duration delay(int attempt) {
        LockClientOptions safety =
                new LockClientOptions(new ConnectionRegistry(COMMAND_TIMEOUT, List.of()), COMMAND_TIMEOUT);
        ClientResources base = DefaultClientResources.create();
        try {
            Delay delay = safety.resources(base).reconnectDelay();
            return delay.createDelay(attempt);
        } finally {
            safety.close();
            base.shutdown();
        }
    }
}
