package com.example.shop.orders;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of shelves, over which the stock of a product in great demand is spread. */
@Repository
public class Shelves {

    /** How many shelves a product has. */
    public static final int COUNT = 10;

    private final JdbcClient jdbc;

    Shelves(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Spreads the pieces of a product as evenly as they can be. */
    public void fill(long productId, int stock) {
        IntStream.range(0, COUNT)
                .forEach(number -> jdbc.sql(
                                "insert into shelf (product_id, number, stock) values (:id, :number, :stock)")
                        .param("id", productId)
                        .param("number", number)
                        .param("stock", stock / COUNT + (number < stock % COUNT ? 1 : 0))
                        .update());
    }

    /** The shelves on which something is left. Nothing is put back, so all others stay empty. */
    Set<Integer> stocked(long productId) {
        return new TreeSet<>(jdbc.sql("select number from shelf where product_id = :id and stock > 0")
                .param("id", productId)
                .query(Integer.class)
                .set());
    }

    int stock(long productId, int number) {
        return jdbc.sql("select stock from shelf where product_id = :id and number = :number")
                .param("id", productId)
                .param("number", number)
                .query(Integer.class)
                .single();
    }

    void setStock(long productId, int number, int stock) {
        jdbc.sql("update shelf set stock = :stock where product_id = :id and number = :number")
                .param("stock", stock)
                .param("id", productId)
                .param("number", number)
                .update();
    }
}
