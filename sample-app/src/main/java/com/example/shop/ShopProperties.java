package com.example.shop;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long the work takes that this shop only pretends to do.
 *
 * @param orderWork what comes before an order is written, such as asking a payment provider; it must fit into the ttl
 *     of the order's lock
 * @param stockWork what happens between reading a stock and writing it back, such as printing a label
 */
@ConfigurationProperties("shop")
public record ShopProperties(
        @DefaultValue("200ms") Duration orderWork,
        @DefaultValue("2ms") Duration stockWork) {

    private static final Duration LONGEST = Duration.ofSeconds(8);

    public ShopProperties {
        requireShort("shop.order-work", orderWork);
        requireShort("shop.stock-work", stockWork);
    }

    private static void requireShort(String property, Duration work) {
        if (work.isNegative() || work.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(property + " must be from 0s to " + LONGEST.toSeconds() + "s, but is "
                    + work.toMillis() + "ms: the lock of an order is held for 10s at most");
        }
    }
}
