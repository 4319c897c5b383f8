package com.example.shop.demo;

import com.example.redis.RedisLine;
import com.example.shop.SimulatedWork;
import com.example.shop.orders.OrderRequest;
import com.example.shop.orders.OrderService;
import io.distributedlock.LockClient;
import io.distributedlock.LockId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * The founding incident: Redis writes the key of a user's lock, and the reply is lost. A lock of two hours kept that
 * user from ordering for two hours. Here the replies of Redis are lost for three seconds while a user orders.
 */
@Component
public class Incident implements DisposableBean {

    private static final Duration LOST_FOR = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final long USER = 4242;
    private static final long PRODUCT = 7;

    private final AtomicReference<@Nullable Course> course = new AtomicReference<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final OrderService orders;
    private final LockClient locks;
    private final @Nullable RedisLine line;

    Incident(OrderService orders, LockClient locks, ObjectProvider<RedisLine> line) {
        this.orders = orders;
        this.locks = locks;
        this.line = line.getIfAvailable();
    }

    /**
     * What has happened so far.
     *
     * @param keyInRedis whether the key of the user's lock is in Redis
     */
    public record Course(boolean over, boolean keyInRedis, List<Step> steps) {

        private Course with(boolean inRedis, boolean last, long millis, String text) {
            List<Step> more = new ArrayList<>(steps);
            more.add(new Step(millis, text));
            return new Course(last, inRedis, List.copyOf(more));
        }
    }

    /** @param millis since the replies began to be lost */
    public record Step(long millis, String text) {}

    /** Empty before the first time. */
    public Optional<Course> course() {
        return Optional.ofNullable(course.get());
    }

    /** Whether it happens now. */
    public boolean isHappening() {
        Course last = course.get();
        return last != null && !last.over();
    }

    /** Returns at once; false if it happens already, or if Redis is not the embedded one. */
    boolean begin() {
        RedisLine disturbed = line;
        Course last = course.get();
        if (disturbed == null || (last != null && !last.over())) {
            return false;
        }
        boolean begins = course.compareAndSet(last, new Course(false, false, List.of()));
        if (begins) {
            thread.execute(() -> happen(disturbed));
        }
        return begins;
    }

    private void happen(RedisLine disturbed) {
        long begin = System.nanoTime();
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + disturbed.serverPort());
        try (StatefulRedisConnection<String, String> aside = client.connect()) {
            happen(begin, disturbed, aside.sync());
        } catch (RuntimeException failed) {
            end(begin, "This did not work out: " + failed);
        } finally {
            disturbed.restore();
            client.shutdown();
        }
    }

    private void happen(long begin, RedisLine disturbed, RedisCommands<String, String> aside) {
        String key = locks.monitor()
                .storeKey(LockId.of("OrderService.place", String.valueOf(USER)).encoded())
                .orElseThrow();
        BooleanSupplier isThere = () -> aside.exists(key) > 0;
        disturbed.loseReplies();
        note(begin, false, "Replies of Redis are lost from now on, and a user orders");
        CompletableFuture<Void> answered = CompletableFuture.supplyAsync(this::order)
                .thenAccept(answer -> note(begin, isThere.getAsBoolean(), "The user's answer: " + answer));
        if (becomes(isThere, true)) {
            note(begin, true, "Redis has written the lock " + key + ", and the shop has not been notified");
        }
        Duration rest = LOST_FOR.minus(since(begin));
        SimulatedWork.take(rest.isNegative() ? Duration.ZERO : rest);
        disturbed.restore();
        note(begin, isThere.getAsBoolean(), "Connections were reset, and replies arrive again");
        if (becomes(isThere, false)) {
            note(begin, false, "The lock is gone from Redis; its lease was 10 s");
        }
        answered.join();
        if (!becomes(() -> locks.monitor().health().isHealthy(), true)) {
            note(begin, isThere.getAsBoolean(), "The shop has not reached Redis again");
        }
        end(begin, "The same user orders again: " + order());
    }

    private String order() {
        try {
            return "order " + orders.place(new OrderRequest(USER, PRODUCT)).id() + " was placed";
        } catch (RuntimeException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static boolean becomes(BooleanSupplier state, boolean wanted) {
        long begin = System.nanoTime();
        while (state.getAsBoolean() != wanted) {
            if (since(begin).compareTo(PATIENCE) > 0) {
                return false;
            }
            SimulatedWork.take(LOOK);
        }
        return true;
    }

    private void note(long begin, boolean inRedis, String text) {
        add(begin, inRedis, false, text);
    }

    private void end(long begin, String text) {
        add(begin, false, true, text);
    }

    private void add(long begin, boolean inRedis, boolean last, String text) {
        long millis = since(begin).toMillis();
        course.updateAndGet(now -> now == null || now.over() ? now : now.with(inRedis, last, millis, text));
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Override
    public void destroy() throws InterruptedException {
        thread.shutdownNow();
        thread.awaitTermination(1, TimeUnit.SECONDS);
    }
}
