package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@ShopTest
class FlashSaleTests {

    @LocalServerPort
    private int port;

    private Shop shop;

    @BeforeEach
    void visitTheShop() {
        shop = Shop.openAt(port);
    }

    @RepeatedTest(3)
    void withTheLockExactlyTheStockIsSold() {
        exactlyTheStockIsSoldWith("lock");
    }

    @RepeatedTest(3)
    void withALockForEachShelfExactlyTheStockIsSold() {
        exactlyTheStockIsSoldWith("segments");
    }

    private void exactlyTheStockIsSoldWith(String lock) {
        JsonNode result = flashSale("buyers=200&stock=50&lock=" + lock);

        assertThat(result.get("stock").asInt()).isEqualTo(50);
        assertThat(result.get("sold").asInt()).isEqualTo(50);
        assertThat(result.get("oversold").asInt()).isZero();
        assertThat(result.get("refused").asInt()).isEqualTo(150);
        assertThat(result.get("millis").asLong()).isPositive();
    }

    @Test
    void withoutTheLockMoreThanTheStockIsSold() {
        // Nothing forces two buyers to meet, so a single sale may go well by luck.
        assertThat(IntStream.range(0, 5)
                        .mapToObj(i -> flashSale("buyers=200&stock=50&lock=none"))
                        .anyMatch(result -> result.get("oversold").asInt() > 0
                                && result.get("sold").asInt()
                                        == 50 + result.get("oversold").asInt()
                                && result.get("refused").asInt()
                                        == 200 - result.get("sold").asInt()))
                .isTrue();
    }

    @Test
    void aBuyerWhoseShelfIsEmptyGetsTheLastPieceFromAnother() {
        JsonNode result = flashSale("buyers=1&stock=1&lock=segments");
        assertThat(result.get("sold").asInt()).isEqualTo(1);

        JsonNode few = flashSale("buyers=40&stock=3&lock=segments");
        assertThat(few.get("sold").asInt()).isEqualTo(3);
        assertThat(few.get("refused").asInt()).isEqualTo(37);
    }

    @Test
    void noCallerIsServedFromAnEmptyShelf() {
        JsonNode result = flashSale("buyers=10&stock=0");

        assertThat(result.get("sold").asInt()).isZero();
        assertThat(result.get("refused").asInt()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "buyers=0            | buyers must be greater than or equal to 1",
                "buyers=5001         | buyers must be less than or equal to 5000",
                "stock=-1            | stock must be greater than or equal to 0",
                "buyers=many         | buyers",
                "lock=maybe          | lock must match",
                "buyers=0&stock=9999 | buyers must be greater than or equal to 1; stock must be less than or equal to 5000",
            })
    void badParametersAreAnsweredWithTheReason(String parameters, String reason) {
        JsonNode problem = shop.post("/demo/flash-sale?" + parameters).problem(422);

        assertThat(problem.get("detail").asString()).contains(reason);
    }

    private JsonNode flashSale(String parameters) {
        return shop.post("/demo/flash-sale?" + parameters).success(200);
    }
}
