package com.example.shop;

import io.distributedlock.spring.DistributedLock;

/** The lock stands here, on the interface. */
interface Stock {

    @DistributedLock(key = "'item:' + #item")
    String take(String item);
}
