package com.example.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.test.AutoConfigureDistributedLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** A slice of the application, which has no auto-configuration of its own. */
@SpringJUnitConfig(Checkout.class)
@AutoConfigureDistributedLock
@TestPropertySource(properties = "distributed-lock.wait-time=0")
class CheckoutSliceTests {

    @Autowired
    private Checkout checkout;

    @Autowired
    private LockClient client;

    @Test
    void aLockedMethodOfASliceRunsUnderItsLock() {
        assertThat(checkout.order("ann")).isEqualTo("ordered for ann");
        LockHandle other = CompletableFuture.supplyAsync(() -> client.acquire(LockRequest.of("order", "ann")))
                .join();
        assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> checkout.order("ann"));
        other.release();
    }
}
