package com.example.shop.orders;

import jakarta.validation.Valid;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The shop over HTTP. */
@RestController
class ShopController {

    private final OrderService service;
    private final Orders orders;
    private final Products products;

    ShopController(OrderService service, Orders orders, Products products) {
        this.service = service;
        this.orders = orders;
        this.products = products;
    }

    @PostMapping("/orders")
    ResponseEntity<Order> order(@Valid @RequestBody OrderRequest request) {
        Order order = service.place(request);
        return ResponseEntity.created(ServletUriComponentsBuilder.fromCurrentRequestUri()
                        .path("/{id}")
                        .build(order.id()))
                .body(order);
    }

    @GetMapping("/orders")
    List<Order> latestOrders() {
        return orders.latest();
    }

    @GetMapping("/orders/{id}")
    Order order(@PathVariable long id) {
        return orders.find(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id));
    }

    @GetMapping("/products")
    List<Product> products() {
        return products.all();
    }
}
