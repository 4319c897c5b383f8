package io.distributedlock.benchmarks.incident;

import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a lock's key in Redis, past the link and past every library. The mark behind an owner of this library, which
 * says that others wait, is no part of the owner.
 */
final class LockKeyProbe {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String SCRIPT = """
            local owner = false
            local kind = redis.call('TYPE', KEYS[1]).ok
            if kind == 'string' then
              owner = string.gsub(redis.call('GET', KEYS[1]), '!$', '')
            elseif kind == 'hash' then
              owner = redis.call('HKEYS', KEYS[1])[1]
            end
            return {owner, redis.call('PTTL', KEYS[1])}
            """;

    /** Who holds a lock, if anybody, and for how long unless it is renewed. */
    record Holder(@Nullable String owner, Duration left) {}

    private final RedisServer redis;

    LockKeyProbe(RedisServer redis) {
        this.redis = redis;
    }

    Holder holderOf(String redisKey) {
        if (redis.command("EVAL", SCRIPT, "1", redisKey) instanceof List<?> reply
                && reply.get(1) instanceof Long left) {
            return new Holder((String) reply.get(0), Duration.ofMillis(Math.max(0, left)));
        }
        throw new IllegalStateException("Redis gave no owner and expiry of " + redisKey);
    }

    /** Waits until a client holds the lock. */
    String awaitOwner(String redisKey) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < LIMIT.toNanos()) {
            String owner = holderOf(redisKey).owner();
            if (owner != null) {
                return owner;
            }
            pause(Duration.ofMillis(1));
        }
        throw new IllegalStateException("no client took " + redisKey + " within " + LIMIT.toSeconds() + " s");
    }

    /** Waits until the lock has been renewed, and gives its owner. */
    String awaitRenewal(String redisKey) {
        Holder before = holderOf(redisKey);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < LIMIT.toNanos()) {
            Holder now = holderOf(redisKey);
            if (now.owner() != null && isRenewal(before, now)) {
                return now.owner();
            }
            before = now;
            pause(Duration.ofMillis(5));
        }
        throw new IllegalStateException(redisKey + " was not renewed within " + LIMIT.toSeconds() + " s");
    }

    static boolean isRenewal(Holder before, Holder now) {
        return now.left().minus(before.left()).toMillis() > 100;
    }

    static void pause(Duration pause) {
        LockSupport.parkNanos(pause.toNanos());
    }
}
