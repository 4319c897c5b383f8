package com.example.shop.orders;

import com.example.shop.ShopProperties;
import com.example.shop.SimulatedWork;
import io.distributedlock.LockHandle;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes a piece from one shelf, whose lock the caller holds: reads the stock, writes it back smaller by one, and writes
 * the order.
 */
@Service
class ShelfSale {

    private final Products products;
    private final Shelves shelves;
    private final Orders orders;
    private final ShopProperties properties;

    ShelfSale(Products products, Shelves shelves, Orders orders, ShopProperties properties) {
        this.products = products;
        this.shelves = shelves;
        this.orders = orders;
        this.properties = properties;
    }

    Product product(long productId) {
        return products.find(productId).orElseThrow(() -> new UnknownProductException(productId));
    }

    /** Empty if nothing is left on this shelf. */
    @Transactional
    public Optional<Order> sell(long userId, long productId, int shelf, LockHandle lock) {
        int stock = shelves.stock(productId, shelf);
        if (stock <= 0) {
            return Optional.empty();
        }
        SimulatedWork.take(properties.stockWork());
        lock.requireHeld();
        shelves.setStock(productId, shelf, stock - 1);
        return Optional.of(orders.add(userId, productId));
    }
}
