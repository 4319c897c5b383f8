package com.example.orders;

import io.distributedlock.LockContext;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

@Service
class OrderService {

    @DistributedLock(name = "orders", key = "#userId", waitTime = "0")
    public <T> T place(String userId, Callable<T> work) throws Exception {
        return work.call();
    }

    @DistributedLock(name = "orders", key = "#userId", waitTime = "0", onRefusal = OnRefusal.SKIP)
    public String placeIfFree(String userId) {
        return "token " + LockContext.find("orders").orElseThrow().fencingToken();
    }

    @DistributedLock(name = "orders", key = "#userId", waitTime = "0")
    public CompletableFuture<String> placeLater(String userId, CompletableFuture<String> order) {
        return order;
    }

    @DistributedLock(name = "orders", key = "#userId", waitTime = "0")
    public Mono<String> placeAtSubscription(String userId, Mono<String> order) {
        return order;
    }

    @Async
    @DistributedLock(name = "orders", key = "#userId", waitTime = "0")
    public CompletableFuture<String> placeInBackground(String userId, CompletableFuture<String> order) {
        return order;
    }
}
