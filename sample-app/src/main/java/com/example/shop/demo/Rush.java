package com.example.shop.demo;

import com.example.shop.orders.SoldOutException;
import io.distributedlock.LockNotAcquiredException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Many buyers who try the same at the same time. */
final class Rush {

    private final LongConsumer purchase;
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicReference<@Nullable RuntimeException> trouble = new AtomicReference<>();

    /** @param purchase what each of them does; gets the buyer's user id */
    Rush(LongConsumer purchase) {
        this.purchase = purchase;
    }

    /**
     * Returns when all are done. After the first that fails other than by a refusal no more begin, and its exception is
     * thrown in the end.
     */
    void run(int buyers, ExecutorService threads) {
        try {
            threads.invokeAll(LongStream.rangeClosed(1, buyers)
                    .mapToObj(user -> Executors.callable(() -> buy(user)))
                    .toList());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before all " + buyers + " buyers were served", e);
        }
        RuntimeException first = trouble.get();
        if (first != null) {
            throw first;
        }
    }

    /** How many got nothing, because the product was sold out or they waited too long. */
    int refused() {
        return refused.get();
    }

    private void buy(long user) {
        if (trouble.get() != null) {
            return;
        }
        try {
            purchase.accept(user);
        } catch (SoldOutException | LockNotAcquiredException e) {
            refused.incrementAndGet();
        } catch (RuntimeException e) {
            trouble.compareAndSet(null, e);
        }
    }
}
