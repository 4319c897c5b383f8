package com.example.shop.orders;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

/** The table of orders. */
@Repository
public class Orders {

    private static final int LATEST = 50;

    private final JdbcClient jdbc;

    Orders(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The last {@value #LATEST} orders, the newest first. */
    List<Order> latest() {
        return List.copyOf(jdbc.sql("select * from orders order by id desc limit :limit")
                .param("limit", LATEST)
                .query(Order.class)
                .list());
    }

    Optional<Order> find(long id) {
        return jdbc.sql("select * from orders where id = :id")
                .param("id", id)
                .query(Order.class)
                .optional();
    }

    public int countOf(long productId) {
        return jdbc.sql("select count(*) from orders where product_id = :productId")
                .param("productId", productId)
                .query(Integer.class)
                .single();
    }

    Order add(long userId, long productId) {
        KeyHolder id = new GeneratedKeyHolder();
        jdbc.sql("insert into orders (user_id, product_id) values (:userId, :productId)")
                .param("userId", userId)
                .param("productId", productId)
                .update(id, "id");
        return find(Objects.requireNonNull(id.getKey()).longValue()).orElseThrow();
    }
}
