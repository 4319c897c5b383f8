package com.example.shop.orders;

/** Something to buy, with the number of pieces that are left. */
public record Product(long id, String name, int stock) {}
