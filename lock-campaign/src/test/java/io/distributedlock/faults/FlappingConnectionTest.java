package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.relay.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A connection that is reset again and again, whatever happens to be on its way. */
class FlappingConnectionTest extends FaultTest {

    private static final int CUTS = 25;
    private static final int CALLERS = 4;

    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger grants = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();

    @Test
    void f17AFlappingConnectionRefusesNoCallerWronglyAndLeavesNothingBehind() throws Exception {
        LockHandle held = take(client(relay.uri(), TTL.multipliedBy(4), COMMAND_TIMEOUT), LockRequest.of("held"));
        ScheduledExecutorService flapping = Executors.newSingleThreadScheduledExecutor();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            flapping.scheduleAtFixedRate(this::cut, 200, 200, TimeUnit.MILLISECONDS);
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String keys = "caller-" + i + "-";
                ends.add(callers.submit(() -> takeAndRelease(keys)));
            }
            for (Future<?> end : ends) {
                end.get(60, TimeUnit.SECONDS);
            }
        } finally {
            flapping.shutdownNow();
            callers.shutdownNow();
        }
        awaitClean();
        assertThat(grants.get()).isPositive();
        assertThat(refusals).hasValue(0);
        assertThat(server.command("KEYS", "lock:{caller-*")).isEqualTo(List.of());
        assertThat(isLost(held)).isFalse();
        held.release();
    }

    private void cut() {
        relay.cut(Cut.RST);
        cuts.incrementAndGet();
    }

    /** Each key is asked for once, so a refusal or a loss can only be a mistake. */
    private void takeAndRelease(String keys) {
        for (int i = 0; cuts.get() < CUTS; i++) {
            takeAndReleaseOne(keys + i);
        }
    }

    private void takeAndReleaseOne(String key) {
        try {
            Optional<LockHandle> lock = client.tryAcquire(once(key));
            (lock.isPresent() ? grants : refusals).incrementAndGet();
            lock.ifPresent(LockHandle::release);
        } catch (LockUnavailableException cut) {
            await().pollInterval(5, TimeUnit.MILLISECONDS)
                    .until(() -> !relay.connections().isEmpty());
        }
    }
}
