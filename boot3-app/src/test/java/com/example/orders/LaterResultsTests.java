package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import reactor.core.publisher.Mono;

/** Methods that return before their work is done, on the older line of Spring. */
@Timeout(180)
@SpringBootTest(
        classes = OrdersApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = "distributed-lock.store=memory")
class LaterResultsTests {

    @Autowired
    private OrderService orders;

    @Autowired
    private LockClient client;

    interface Placing {
        CompletableFuture<String> of(OrderService orders, CompletableFuture<String> order);
    }

    static Stream<Placing> placings() {
        return Stream.of(
                (orders, order) -> orders.placeLater("42", order),
                (orders, order) -> orders.placeInBackground("42", order),
                (orders, order) ->
                        orders.placeAtSubscription("42", Mono.fromFuture(order)).toFuture());
    }

    @AfterEach
    void nothingIsHeld() {
        await().untilAsserted(() -> assertThat(client.held()).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("placings")
    void theLockIsHeldUntilTheResultIsComplete(Placing placing) throws Exception {
        CompletableFuture<String> order = new CompletableFuture<>();
        CompletableFuture<Integer> heldAtResult =
                placing.of(orders, order).thenApply(result -> client.held().size());
        await().until(() -> client.held().size() == 1);
        assertThat(heldAtResult).isNotDone();
        order.complete("placed");
        assertThat(heldAtResult.get(60, TimeUnit.SECONDS)).isZero();
    }
}
