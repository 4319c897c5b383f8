package com.example.shop.demo;

import com.example.shop.orders.Checkout;
import com.example.shop.orders.Orders;
import com.example.shop.orders.Products;
import com.example.shop.orders.SoldOutException;
import io.distributedlock.LockNotAcquiredException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

    /** Sells a new product to {@code buyers} buyers, {@value #THREADS} at a time; ends early if one of them can't be served at all. */
    FlashSaleResult run(int buyers, int stock, boolean locked) {
        long begin = System.nanoTime();
        long product = products.add("Flash sale", stock);
        List<Callable<Boolean>> purchases = new ArrayList<>();
        for (long user = 1; user <= buyers; user++) {
            long userId = user;
            purchases.add(
                    locked
                            ? () -> sold(() -> checkout.buy(userId, product))
                            : () -> sold(() -> checkout.buyWithoutLock(userId, product)));
        }
        int refused = buyers - successes(purchases);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        return FlashSaleResult.of(stock, orders.countOf(product), refused, millis);
    }

    private static boolean sold(Runnable purchase) {
        try {
            purchase.run();
            return true;
        } catch (SoldOutException | LockNotAcquiredException refused) {
            return false;
        }
    }

    private int successes(List<Callable<Boolean>> purchases) {
        CompletionService<Boolean> tills = new ExecutorCompletionService<>(threads);
        List<Future<Boolean>> results = purchases.stream().map(tills::submit).toList();
        try {
            int successes = 0;
            for (int i = 0; i < results.size(); i++) {
                successes += tills.take().get() ? 1 : 0;
            }
            return successes;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before all " + results.size() + " buyers were served", e);
        } finally {
            results.forEach(result -> result.cancel(false));
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
