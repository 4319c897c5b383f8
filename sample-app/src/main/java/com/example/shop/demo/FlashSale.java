package com.example.shop.demo;

import com.example.shop.orders.Checkout;
import com.example.shop.orders.Orders;
import com.example.shop.orders.Products;
import com.example.shop.orders.ShelfCheckout;
import com.example.shop.orders.Shelves;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Lets many buyers rush at one product. */
@Component
public class FlashSale implements DisposableBean {

    private static final int THREADS = 32;

    private final Checkout checkout;
    private final ShelfCheckout shelfCheckout;
    private final Products products;
    private final Shelves shelves;
    private final Orders orders;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private volatile @Nullable Supplier<FlashSaleResult> latest;

    FlashSale(Checkout checkout, ShelfCheckout shelfCheckout, Products products, Shelves shelves, Orders orders) {
        this.checkout = checkout;
        this.shelfCheckout = shelfCheckout;
        this.products = products;
        this.shelves = shelves;
        this.orders = orders;
    }

    /** How the sale stands that runs; or how the last one ended. Empty before the first. */
    public Optional<FlashSaleResult> latest() {
        Supplier<FlashSaleResult> sale = latest;
        return sale == null ? Optional.empty() : Optional.of(sale.get());
    }

    /**
     * Sells a new product to {@code buyers} buyers, {@value #THREADS} at a time; breaks off if one of them meets
     * trouble, and throws that.
     */
    FlashSaleResult run(int buyers, int stock, Guard guard) {
        long begin = System.nanoTime();
        long product = products.add("Flash sale", guard == Guard.SEGMENTS ? 0 : stock);
        if (guard == Guard.SEGMENTS) {
            shelves.fill(product, stock);
        }
        Rush rush = new Rush(
                switch (guard) {
                    case NONE -> user -> checkout.buyWithoutLock(user, product);
                    case LOCK -> user -> checkout.buy(user, product);
                    case SEGMENTS -> user -> shelfCheckout.buy(user, product);
                });
        Supplier<FlashSaleResult> standing = () -> FlashSaleResult.of(
                stock,
                orders.countOf(product),
                rush.refused(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        latest = standing;
        rush.run(buyers, threads);
        FlashSaleResult result = standing.get();
        latest = () -> result;
        return result;
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
