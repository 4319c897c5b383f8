package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopPropertiesTests {

    private static final Duration SHORT = Duration.ofMillis(2);

    @ParameterizedTest
    @ValueSource(strings = {"-PT0.001S", "PT8.001S", "PT1H"})
    void workThatDoesNotFitIntoTheTtlOfAnOrderIsRefused(Duration work) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ShopProperties(work, SHORT))
                .withMessageContaining("shop.order-work must be from 0s to 8s, but is " + work.toMillis() + "ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ShopProperties(SHORT, work))
                .withMessageContaining("shop.stock-work");
    }

    @Test
    void noWorkIsFine() {
        assertThat(new ShopProperties(Duration.ZERO, Duration.ZERO).orderWork()).isZero();
    }
}
