package com.example.shop;

import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockMode;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.springframework.stereotype.Service;

@Service
class OrderService {

    @DistributedLock(name = "order", key = "#id", waitTime = "0")
    public <T> T underLock(String id, Callable<T> work) throws Exception {
        return work.call();
    }

    @DistributedLock(name = "order", key = "#id", waitTime = "0", onRefusal = OnRefusal.SKIP)
    public Optional<String> tryPlace(String id) {
        return Optional.of("placed " + id);
    }

    @DistributedLock(name = "order", key = "#id", waitTime = "0", onRefusal = OnRefusal.SKIP)
    public String tryPlaceForText(String id, Callable<String> work) throws Exception {
        return work.call();
    }

    @DistributedLock(name = "order", key = "#id", waitTime = "0", mode = LockMode.SHARED)
    public <T> T read(String id, Callable<T> work) throws Exception {
        return work.call();
    }

    @DistributedLock(
            name = "order",
            key = {"#from", "#to"},
            waitTime = "0")
    public List<LockHandle> merge(String from, String to) {
        return LockContext.current();
    }

    @DistributedLock(name = "order", key = "#ids", waitTime = "0", onRefusal = OnRefusal.SKIP)
    public Optional<Integer> ship(Set<String> ids) {
        return Optional.of(LockContext.current().size());
    }

    @OrderLock(of = "#id")
    public List<LockHandle> locksOf(String id) {
        return LockContext.current();
    }

    @DistributedLock(name = "cart", key = "#items[0]", ttl = "10s")
    public String first(List<String> items, Runnable meanwhile) {
        meanwhile.run();
        return LockContext.find("cart").orElseThrow().key();
    }
}
