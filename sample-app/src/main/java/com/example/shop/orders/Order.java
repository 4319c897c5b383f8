package com.example.shop.orders;

import java.time.Instant;

/** One piece of one product, sold to one user. */
public record Order(long id, long userId, long productId, Instant orderedAt) {}
