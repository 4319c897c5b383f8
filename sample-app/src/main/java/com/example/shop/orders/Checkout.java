package com.example.shop.orders;

import com.example.shop.ShopProperties;
import com.example.shop.SimulatedWork;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.spring.DistributedLock;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells pieces of a product: reads the stock, writes it back smaller by one, and writes the order. */
@Service
public class Checkout {

    private final Products products;
    private final Orders orders;
    private final ShopProperties properties;

    Checkout(Products products, Orders orders, ShopProperties properties) {
        this.products = products;
        this.orders = orders;
        this.properties = properties;
    }

    /**
     * The lock is there before the transaction begins, and is released after it has committed: the next buyer reads
     * what this one wrote.
     */
    @DistributedLock(name = "stock", key = "#productId", ttl = "10s")
    @Transactional
    public Order buy(long userId, long productId) {
        return sell(userId, productId);
    }

    /**
     * The same without a lock, to show what happens then: two buyers read the same stock, and both get the last piece.
     */
    @Transactional
    public Order buyWithoutLock(long userId, long productId) {
        return sell(userId, productId);
    }

    private Order sell(long userId, long productId) {
        Product product = products.find(productId).orElseThrow(() -> new UnknownProductException(productId));
        if (product.stock() <= 0) {
            throw new SoldOutException(product);
        }
        SimulatedWork.take(properties.stockWork());
        // Late work that has outlived its locks must not write; the exception rolls the transaction back.
        LockContext.current().forEach(LockHandle::requireHeld);
        products.setStock(productId, product.stock() - 1);
        return orders.add(userId, productId);
    }
}
