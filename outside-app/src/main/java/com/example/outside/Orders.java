package com.example.outside;

import io.distributedlock.LockContext;
import io.distributedlock.spring.DistributedLock;
import org.springframework.stereotype.Service;

@Service
public class Orders {

    @DistributedLock("#userId")
    public String place(long userId) {
        return "placed for " + userId;
    }

    /** A call of the bean's own method does not pass the proxy. */
    public String placeFromInside(long userId) {
        return placeUnderLock(userId);
    }

    @DistributedLock(name = "orders", key = "#userId")
    public String placeUnderLock(long userId) {
        LockContext.requireHeld("orders");
        return place(userId);
    }
}
