package com.example.shop.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;

/** A shop whose work takes long enough to be seen, and whose leases are short enough to be waited for. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"distributed-lock.ttl=6s", "shop.order-work=2s", "shop.stock-work=15ms"})
@interface SeenShop {}
