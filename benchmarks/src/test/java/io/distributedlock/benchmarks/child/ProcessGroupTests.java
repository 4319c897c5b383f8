package io.distributedlock.benchmarks.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessGroupTests {

    private static final int NO_REDIS = 1;
    private static final Peer WITHOUT_REDIS =
            Catalogue.named("ReentrantLock(true)").orElseThrow();

    @Test
    void eachProcessFollowsItsOrders() {
        try (ProcessGroup group = ProcessGroup.open(WITHOUT_REDIS, NO_REDIS, 2, "64m", 1)) {
            Order order = Order.loop("key", 1, Duration.ofMillis(100));

            assertThat(group.all(order))
                    .hasSize(2)
                    .allMatch(outcome -> outcome.waited().total() > 0)
                    .allMatch(outcome -> outcome.errors() == 0);

            Order hold = Order.acquire("other");
            group.begin(0, hold);
            assertThat(group.end(0, hold).failure()).isEmpty();
            Order release = Order.release("other");
            group.begin(0, release);
            assertThat(group.end(0, release).failure()).isEmpty();
            group.begin(0, release);
            assertThat(group.end(0, release).failure())
                    .hasValueSatisfying(failure -> assertThat(failure).contains("nothing to release"));
        }
    }

    @Test
    void aPeerThatCantConnectIsAFailureAndNoHang() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ProcessGroup.open(Catalogue.named("raw-sync").orElseThrow(), NO_REDIS, 1, "64m", 1)
                        .close())
                .withMessageContaining("RedisConnectionException");
    }
}
