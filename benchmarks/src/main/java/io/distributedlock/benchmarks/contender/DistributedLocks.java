package io.distributedlock.benchmarks.contender;

import io.distributedlock.LockClient;
import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** This project's own locks. */
final class DistributedLocks implements Locks {

    private static final String PREFIX = "lock";

    private final Map<String, LockHandle> held = new ConcurrentHashMap<>();
    private final Terms terms;
    private final LockClient client;

    DistributedLocks(int port, Terms terms) {
        this.terms = terms;
        RedisURI uri = RedisURI.create("127.0.0.1", port);
        RedisLockConnection connections = new RedisLockConnection(RedisClientSource.of(uri), terms.commandTimeout());
        LockClientBuilder builder =
                LockClient.builder(new RedisLockStore(connections, PREFIX)).commandTimeout(terms.commandTimeout());
        this.client = (terms.renewed() ? builder.ttl(terms.lease()) : builder).build();
    }

    @Override
    public Answer acquire(String key, Duration wait) {
        LockRequest request = LockRequest.of(key).withWaitTime(wait);
        try {
            Optional<LockHandle> lock = client.tryAcquire(terms.renewed() ? request : request.withTtl(terms.lease()));
            lock.ifPresent(handle -> held.put(key, handle));
            return lock.isPresent() ? new Answer(Claim.GRANTED, "a handle") : new Answer(Claim.HELD_BY_OTHER, "empty");
        } catch (LockUnavailableException unavailable) {
            return new Answer(Claim.NONE, unavailable.getClass().getSimpleName() + " (" + unavailable.outcome() + ")");
        } catch (LockException failure) {
            return Answer.failed(failure);
        }
    }

    @Override
    public Answer release(String key) {
        LockHandle handle = held.remove(key);
        if (handle == null) {
            throw new IllegalStateException("'" + key + "' was not acquired here");
        }
        try {
            handle.release();
            return new Answer(Claim.RELEASED, "returned");
        } catch (LockLostException lost) {
            return new Answer(Claim.LOST, lost.getClass().getSimpleName());
        } catch (LockException failure) {
            return Answer.failed(failure);
        }
    }

    @Override
    public String redisKey(String key) {
        return PREFIX + ":{" + key + "}";
    }

    @Override
    public void close() {
        client.close();
    }
}
