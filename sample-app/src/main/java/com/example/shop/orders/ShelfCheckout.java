package com.example.shop.orders;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.SegmentedLock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;

/** Sells pieces of a product in great demand: its stock is spread over shelves, each of which has a lock of its own. */
@Service
public class ShelfCheckout {

    private static final Duration TTL = Duration.ofSeconds(10);

    private final LockClient client;
    private final LockTemplate template;
    private final ShelfSale sale;
    private final Shelves shelves;

    ShelfCheckout(LockClient client, LockTemplate template, ShelfSale sale, Shelves shelves) {
        this.client = client;
        this.template = template;
        this.sale = sale;
        this.shelves = shelves;
    }

    /**
     * Buyers start at different shelves, and look at all of them before the product is sold out. The transaction is
     * inside of the lock.
     */
    public Order buy(long userId, long productId) {
        LockRequest stock = LockRequest.of("stock", String.valueOf(productId)).withTtl(TTL);
        SegmentedLock locks = new SegmentedLock(client, stock, Shelves.COUNT);
        Set<Integer> stocked = shelves.stocked(productId);
        for (int shelf : locks.beginningAt(String.valueOf(userId))) {
            if (stocked.contains(shelf)) {
                Optional<Order> order =
                        template.execute(locks.segment(shelf), lock -> sale.sell(userId, productId, shelf, lock));
                if (order.isPresent()) {
                    return order.get();
                }
            }
        }
        throw new SoldOutException(sale.product(productId));
    }
}
