package com.example.shop;

import io.distributedlock.spring.DistributedLock;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.core.annotation.AliasFor;

/** The lock of one order, with the waiting that all uses share. */
@Retention(RetentionPolicy.RUNTIME)
@DistributedLock(name = "order", waitTime = "0")
@interface OrderLock {

    @AliasFor(annotation = DistributedLock.class, attribute = "key")
    String[] of();
}
