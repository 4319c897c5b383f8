package com.example.shop;

import io.distributedlock.testkit.server.RedisServer;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;

/** One database and one Redis, for as many applications as a test starts on them. */
final class Bank implements AutoCloseable {

    final RedisServer redis = RedisServer.start();
    private final String database = "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=30";

    /** An application with {@link Accounts}; a lost lock is noticed by it within about two seconds. */
    ConfigurableApplicationContext open(String... properties) {
        return open(Accounts.class, properties);
    }

    /** @param properties take precedence over those that every application has */
    ConfigurableApplicationContext open(Class<?> more, String... properties) {
        Collection<String> all = Stream.concat(
                        Stream.of(
                                database,
                                "spring.data.redis.port=" + redis.port(),
                                "distributed-lock.ttl=6s",
                                "distributed-lock.redis.command-timeout=2s"),
                        Stream.of(properties))
                .collect(Collectors.toMap(
                        property -> property.split("=")[0], Function.identity(), (every, given) -> given))
                .values();
        return ShopApplication.start(new Class<?>[] {Accounts.class, more}, all.toArray(String[]::new));
    }

    /** Whether a client holds the lock of an account. */
    boolean isLocked(String id) {
        return redis.command("EXISTS", key(id)).equals(1L);
    }

    /** What an administrator can do who thinks that a lock is a leftover. */
    void deleteLock(String id) {
        redis.command("DEL", key(id));
    }

    private static String key(String id) {
        return "lock:{account:" + id + "}";
    }

    @Override
    public void close() {
        redis.close();
    }
}
