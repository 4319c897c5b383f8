package com.example.shop.demo;

/**
 * How a rush ended.
 *
 * @param sold the orders in the database
 * @param oversold how many of them were for a piece that was not there
 * @param refused buyers who got nothing
 */
public record FlashSaleResult(int stock, int sold, int oversold, int refused, long millis) {

    static FlashSaleResult of(int stock, int sold, int refused, long millis) {
        return new FlashSaleResult(stock, sold, Math.max(0, sold - stock), refused, millis);
    }
}
