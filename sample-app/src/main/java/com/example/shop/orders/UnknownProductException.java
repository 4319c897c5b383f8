package com.example.shop.orders;

/** The shop has no product with this id. */
public class UnknownProductException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownProductException(long productId) {
        super("There is no product %d; GET /products lists those that there are".formatted(productId));
    }
}
