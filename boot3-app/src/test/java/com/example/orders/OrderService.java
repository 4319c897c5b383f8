package com.example.orders;

import io.distributedlock.LockContext;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import java.util.concurrent.Callable;
import org.springframework.stereotype.Service;

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
}
