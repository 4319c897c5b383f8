package com.example.shop.orders;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

/** The table of products. */
@Repository
public class Products {

    private final JdbcClient jdbc;

    Products(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** All products, with what is on their shelves. */
    List<Product> all() {
        return List.copyOf(jdbc.sql("""
                        select id, name,
                          stock + coalesce((select sum(stock) from shelf where product_id = product.id), 0) as stock
                        from product order by id""").query(Product.class).list());
    }

    Optional<Product> find(long id) {
        return jdbc.sql("select * from product where id = :id")
                .param("id", id)
                .query(Product.class)
                .optional();
    }

    /** Adds a product and gives its id. */
    public long add(String name, int stock) {
        KeyHolder id = new GeneratedKeyHolder();
        jdbc.sql("insert into product (name, stock) values (:name, :stock)")
                .param("name", name)
                .param("stock", stock)
                .update(id, "id");
        return Objects.requireNonNull(id.getKey()).longValue();
    }

    void setStock(long id, int stock) {
        jdbc.sql("update product set stock = :stock where id = :id")
                .param("stock", stock)
                .param("id", id)
                .update();
    }
}
