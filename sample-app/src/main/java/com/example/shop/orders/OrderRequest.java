package com.example.shop.orders;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;

/** What a user sends to order one piece of a product. */
public record OrderRequest(
        @NotNull @Positive Long userId, @NotNull @Positive Long productId) {}
