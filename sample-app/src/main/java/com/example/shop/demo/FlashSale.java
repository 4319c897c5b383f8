package com.example.shop.demo;

import com.example.shop.orders.Checkout;
import com.example.shop.orders.Orders;
import com.example.shop.orders.Products;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Lets many buyers rush at one product. */
@Component
class FlashSale implements DisposableBean {

    private static final int THREADS = 32;

    private final Checkout checkout;
    private final Products products;
    private final Orders orders;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    FlashSale(Checkout checkout, Products products, Orders orders) {
        this.checkout = checkout;
        this.products = products;
        this.orders = orders;
    }

    /** Sells a new product to {@code buyers} buyers, {@value #THREADS} at a time; breaks off if one of them meets trouble, and throws that. */
    FlashSaleResult run(int buyers, int stock, boolean locked) {
        long begin = System.nanoTime();
        long product = products.add("Flash sale", stock);
        Rush rush =
                new Rush(locked ? user -> checkout.buy(user, product) : user -> checkout.buyWithoutLock(user, product));
        rush.run(buyers, threads);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        return FlashSaleResult.of(stock, orders.countOf(product), rush.refused(), millis);
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
