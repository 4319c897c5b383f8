package com.example.shop.orders;

/** No piece of the product is left. */
public class SoldOutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SoldOutException(Product product) {
        super("Product %d (%s) is sold out".formatted(product.id(), product.name()));
    }
}
