package com.example.shop.demo;

import java.util.Locale;

/** What keeps the buyers of a flash sale apart. */
enum Guard {
    /** Nothing. */
    NONE,
    /** One lock for the product. */
    LOCK,
    /** A lock for each of the shelves over which the stock is spread. */
    SEGMENTS;

    static Guard of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
