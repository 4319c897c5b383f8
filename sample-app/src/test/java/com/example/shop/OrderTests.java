package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@ShopTest
class OrderTests {

    private static final long UMBRELLA = 7;
    private static final long SOLD_OUT = 5;

    @LocalServerPort
    private int port;

    @Autowired
    private LockClient locks;

    private Shop shop;

    @BeforeEach
    void visitTheShop() {
        shop = Shop.openAt(port);
    }

    @Test
    void anOrderIsCreatedAndTakesOnePieceFromTheStock() {
        int stock = shop.stockOf(UMBRELLA);

        Answer answer = shop.order(42, UMBRELLA);

        JsonNode order = answer.success(201);
        assertThat(order.get("userId").asLong()).isEqualTo(42);
        assertThat(order.get("productId").asLong()).isEqualTo(UMBRELLA);
        assertThat(shop.stockOf(UMBRELLA)).isEqualTo(stock - 1);
        assertThat(answer.header("Location"))
                .endsWith("/orders/" + order.get("id").asLong());
        assertThat(shop.get("/orders/" + order.get("id").asLong()).success(200)).isEqualTo(order);
        assertThat(shop.get("/orders").json().get(0)).isEqualTo(order);
    }

    @Test
    void anOrderIsRefusedByNameOfItsLockWhileAnotherOneOfTheSameUserIsInProgress() {
        int stock = shop.stockOf(UMBRELLA);
        try (LockHandle inProgress = locks.acquire(LockRequest.of("OrderService.place", "43"))) {
            JsonNode problem = shop.order(43, UMBRELLA).problem(409);

            assertThat(problem.get("lock").asString()).isEqualTo("OrderService.place");
            assertThat(problem.get("detail").asString()).contains("OrderService.place");
            assertThat(shop.stockOf(UMBRELLA)).isEqualTo(stock);
            assertThat(inProgress.isHeld()).isTrue();
            shop.order(44, UMBRELLA).success(201);
        }
        shop.order(43, UMBRELLA).success(201);
    }

    @Test
    void aSoldOutProductIsRefusedWithoutNamingALock() {
        JsonNode problem = shop.order(42, SOLD_OUT).problem(409);

        assertThat(problem.get("detail").asString()).contains("sold out");
        assertThat(problem.has("lock")).isFalse();
        assertThat(shop.stockOf(SOLD_OUT)).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                  | productId must not be null; userId must not be null",
                "{\"userId\":42}                     | productId must not be null",
                "{\"userId\":null,\"productId\":7}   | userId must not be null",
                "{\"userId\":0,\"productId\":-7}     | productId must be greater than 0; userId must be greater than 0",
                "{\"userId\":42,\"productId\":999}   | There is no product 999",
                "{\"userId\":42.5,\"productId\":7}   | can't be read",
                "{\"userId\":\"me\",\"productId\":7} | can't be read",
                "{\"userId\":42,                     | can't be read",
                "[]                                  | can't be read",
                "``                                  | can't be read",
            })
    void badInputIsAnsweredWithTheReason(String json, String reason) {
        int stock = shop.stockOf(UMBRELLA);

        assertThat(shop.order(json).problem(422).get("detail").asString()).contains(reason);

        assertThat(shop.stockOf(UMBRELLA)).isEqualTo(stock);
    }

    @Test
    void anOrderThatIsNotThereIsNotFound() {
        JsonNode problem = shop.get("/orders/999999999").problem(404);

        assertThat(problem.get("detail").asString()).isEqualTo("There is no order 999999999");
    }

    @Test
    void theStartPageNamesWhatToTryWithItsOwnAddress() {
        Answer page = shop.get("/");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text())
                .contains("curl -s http://127.0.0.1:" + port + "/products")
                .contains("/demo/flash-sale?buyers=500&stock=100&lock=none")
                .contains("/demo/report?seconds=40");
    }
}
