package com.example.consumer;

import io.distributedlock.spring.DistributedLock;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Service;

/** The README's example. */
@Service
public class Orders {

    public record OrderRequest(long userId) {}

    private final AtomicInteger atOnce = new AtomicInteger();

    @DistributedLock(key = "#request.userId")
    public int place(OrderRequest request) throws InterruptedException {
        int count = atOnce.incrementAndGet();
        Thread.sleep(20);
        atOnce.decrementAndGet();
        return count;
    }
}
