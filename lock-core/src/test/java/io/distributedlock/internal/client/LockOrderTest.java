package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.internal.support.CapturedLog;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockOrderTest {

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final LockTemplate template = new LockTemplate(client);
    private final CapturedLog log = CapturedLog.of(LockOrder.class);

    @AfterEach
    void close() {
        log.close();
        client.close();
    }

    private void nested(LockRequest outer, LockRequest inner) {
        template.run(outer, held -> template.run(inner, both -> {}));
    }

    @Test
    void twoNamesThatAreNestedInBothOrdersAreWarnedOfOnce() {
        LockRequest order = LockRequest.of("orders", "1");
        LockRequest stock = LockRequest.of("stock", "apples");
        nested(order, stock);
        nested(order, LockRequest.of("stock", "pears"));
        assertThat(log.messages()).isEmpty();
        nested(stock, order);
        nested(stock, order);
        nested(order, stock);
        assertThat(log.messages())
                .singleElement()
                .asString()
                .startsWith("Lock 'orders' is requested inside of 'stock', and elsewhere 'stock' inside of 'orders'.");
    }

    /** Two calls that wait for each other get no further than their requests. */
    @Test
    void theRequestCountsAndNotTheGrant() {
        LockRequest order = LockRequest.of("orders", "1");
        LockRequest stock = LockRequest.of("stock", "apples");
        nested(order, stock);
        try (LockHandle elsewhere = client.acquire(order)) {
            assertThat(elsewhere.isHeld()).isTrue();
            assertThatThrownBy(() -> nested(stock, order.withWaitTime(Duration.ZERO)))
                    .isInstanceOf(LockNotAcquiredException.class);
        }
        assertThat(log.messages()).hasSize(1);
    }

    @Test
    void keysOfOneNameAndALockThatCoversTheRequestAreNoOrder() {
        LockRequest one = LockRequest.of("orders", "1");
        LockRequest two = LockRequest.of("orders", "2");
        nested(one, two);
        nested(two, one);
        LockRequest stock = LockRequest.of("stock", "apples");
        template.run(stock, held -> nested(one, stock));
        assertThat(log.messages()).isEmpty();
    }

    @Test
    void anApplicationWithoutEndOfNamesIsRememberedInPart() {
        for (int i = 0; i < 1_100; i++) {
            nested(LockRequest.of("outer" + i), LockRequest.of("inner"));
        }
        nested(LockRequest.of("inner"), LockRequest.of("outer1050"));
        assertThat(log.messages()).isEmpty();
        nested(LockRequest.of("inner"), LockRequest.of("outer7"));
        assertThat(log.messages()).hasSize(1);
    }
}
