package com.example.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.test.LockFaults;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** The recipe of docs/testing.md. */
@SpringBootTest(
        classes = {Checkout.Application.class, Checkout.class},
        properties = "distributed-lock.redis.command-timeout=2s")
@Import(LockFaults.class)
class CheckoutTests {

    @Autowired
    private Checkout checkout;

    @Autowired
    private LockClient client;

    @Autowired
    private LockFaults locks;

    @AfterEach
    void heal() {
        locks.heal();
        await().untilAsserted(() -> assertThat(checkout.order("ann")).isEqualTo("ordered for ann"));
    }

    @Test
    void aSecondOrderOfTheSameUserIsRefused() {
        try (LockHandle other = locks.occupy(LockRequest.of("order", "ann"))) {
            assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> checkout.order(other.key()));
        }
        assertThat(checkout.order("ann")).isEqualTo("ordered for ann");
    }

    @Test
    void withoutLocksOrdersComeLater() {
        locks.becomeUnreachable();
        assertThat(Checkout.orLater(() -> checkout.order("ann"))).isEqualTo("later");
    }

    @Test
    void ordersWaitForSlowLocksButNotForEver() {
        locks.answerAfter(Duration.ofMillis(50));
        assertThat(checkout.order("ann")).isEqualTo("ordered for ann");
        locks.answerAfter(Duration.ofMinutes(1));
        assertThat(Checkout.orLater(() -> checkout.order("ann"))).isEqualTo("later");
    }

    @Test
    void aReportStopsWhenItsLockIsLost() {
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> checkout.report("monday", this::lose));
        assertThat(checkout.report("tuesday", () -> {})).isEqualTo("report of tuesday");
    }

    private void lose() {
        LockHandle lock = client.held().iterator().next();
        locks.loseEverything();
        assertThat(lock.lost().toCompletableFuture().join()).isNotNull();
    }

    @Test
    void theApplicationsOwnLocksKeepOthersOut() {
        checkout.report("monday", () -> {
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(() ->
                            locks.occupy(LockRequest.of("report", "monday").withWaitTime(Duration.ZERO)));
        });
    }
}
