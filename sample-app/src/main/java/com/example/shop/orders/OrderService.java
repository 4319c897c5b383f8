package com.example.shop.orders;

import com.example.shop.ShopProperties;
import com.example.shop.SimulatedWork;
import io.distributedlock.spring.DistributedLock;
import org.springframework.stereotype.Service;

/** Takes orders: one at a time for each user, on however many servers the shop runs. */
@Service
public class OrderService {

    private final Checkout checkout;
    private final ShopProperties properties;

    OrderService(Checkout checkout, ShopProperties properties) {
        this.checkout = checkout;
        this.properties = properties;
    }

    /** A double click is refused at once, because no call waits for a lock with a wait time of zero. */
    @DistributedLock(key = "#request.userId", ttl = "10s", waitTime = "0s")
    public Order place(OrderRequest request) {
        SimulatedWork.take(properties.orderWork());
        return checkout.buy(request.userId(), request.productId());
    }
}
