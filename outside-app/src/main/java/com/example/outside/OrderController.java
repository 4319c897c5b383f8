package com.example.outside;

import io.distributedlock.spring.DistributedLock;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @GetMapping("/orders/{userId}")
    String place(@PathVariable long userId) {
        return orders.place(userId);
    }

    @GetMapping("/pay/{user}/{order}")
    @DistributedLock(name = "pay", key = "#user + ':' + #order", waitTime = "0")
    public String pay(@PathVariable long user, @PathVariable long order) {
        return "paid";
    }
}
