package com.example.shop.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockEvent;
import io.distributedlock.LockMode;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.core.StringRedisTemplate;

@SpringBootTest
class LoadAwareTtlTests {

    @Autowired
    private LockTemplate locks;

    @Autowired
    private StringRedisTemplate redis;

    @Test
    void aLockWithThisPolicyHasALeaseBetweenTheCalmAndTheLongest() {
        Long left = locks.execute(
                LockRequest.of("import", 7).withPolicy("loadAware"),
                lock -> redis.getExpire("lock:shop:{import:7}", TimeUnit.MILLISECONDS));

        assertThat(left).isBetween(1L, 60_000L).isNotEqualTo(30_000L);
    }

    @Test
    void onACalmMachineTheLeaseIsShort() {
        assertThat(leaseAt(0.3, Duration.ZERO, 0)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void whereTheSystemDoesNotSayItsLoadTheLeaseIsShort() {
        assertThat(leaseAt(-0.5, Duration.ZERO, 0)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void threeRunnableThreadsForEachProcessorTripleTheLease() {
        assertThat(leaseAt(3, Duration.ZERO, 0)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void aSlowRedisMakesTheLeaseLonger() {
        assertThat(leaseAt(0, Duration.ofMillis(100), 100)).isBetween(Duration.ofSeconds(14), Duration.ofSeconds(15));
    }

    @Test
    void onceRedisIsQuickAgainTheLeaseBecomesShort() {
        LoadAwareTtl policy = new LoadAwareTtl(() -> 0);
        granted(policy, Duration.ofMillis(100), false, 100);

        granted(policy, Duration.ofMillis(1), false, 100);

        assertThat(lease(policy)).isLessThan(Duration.ofSeconds(6));
    }

    @Test
    void theTimeThatARequestWaitedForAnotherHolderIsNoLatency() {
        LoadAwareTtl policy = new LoadAwareTtl(() -> 0);

        granted(policy, Duration.ofSeconds(3), true, 100);

        assertThat(lease(policy)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void noLeaseIsLongerThanAMinute() {
        assertThat(leaseAt(50, Duration.ofSeconds(2), 100)).isEqualTo(Duration.ofMinutes(1));
    }

    private static Duration leaseAt(double load, Duration latency, int grants) {
        LoadAwareTtl policy = new LoadAwareTtl(() -> load);
        granted(policy, latency, false, grants);
        return lease(policy);
    }

    private static void granted(LoadAwareTtl policy, Duration waited, boolean contended, int times) {
        for (int i = 0; i < times; i++) {
            policy.on(new LockEvent.Acquired("import", "7", LockMode.EXCLUSIVE, 0, waited, contended));
        }
    }

    private static Duration lease(LoadAwareTtl policy) {
        return policy.ttl(LockRequest.of("import", 7), name -> Duration.ZERO);
    }
}
