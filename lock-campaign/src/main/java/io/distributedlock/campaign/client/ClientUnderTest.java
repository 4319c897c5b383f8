package io.distributedlock.campaign.client;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The library as one process uses it: a client with a connection of its own, perhaps mutated. */
public final class ClientUnderTest implements AutoCloseable {

    private static final Duration WARM_UP_LIMIT = Duration.ofMinutes(2);

    private final LockClient client;
    private final OwnerObserver tap;
    private final Mutation mutation;
    private final Executor executor;

    private ClientUnderTest(LockClient client, OwnerObserver tap, Mutation mutation, Executor executor) {
        this.client = client;
        this.tap = tap;
        this.mutation = mutation;
        this.executor = executor;
    }

    /** @param executor where callers' futures complete */
    public static ClientUnderTest open(String uri, Timing timing, Executor executor, Mutation mutation) {
        DriverLogging.ensure();
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), timing.commandTimeout());
        OwnerObserver tap = new OwnerObserver();
        LockStore store = mutation.store(tap.into(new RedisLockStore(connections, "lock")), uri);
        return new ClientUnderTest(client(tap.into(store), timing, executor), tap, mutation, executor);
    }

    /** The library as it is, on some store. */
    public static ClientUnderTest of(LockStore store, Timing timing, Executor executor) {
        DriverLogging.ensure();
        OwnerObserver tap = new OwnerObserver();
        return new ClientUnderTest(client(tap.into(store), timing, executor), tap, Mutation.NONE, executor);
    }

    private static LockClient client(LockStore store, Timing timing, Executor executor) {
        return LockClient.builder(store)
                .commandTimeout(timing.commandTimeout())
                .ttl(timing.ttl())
                .executor(executor)
                .build();
    }

    /**
     * Connects, and makes the server know all scripts; afterwards the first command of a call leaves on the calling
     * thread.
     */
    public void warmUp(String key) {
        long begin = System.nanoTime();
        while (!isWarm(key)) {
            if (System.nanoTime() - begin > WARM_UP_LIMIT.toNanos()) {
                throw new IllegalStateException("no lock cycle went well within " + WARM_UP_LIMIT.toSeconds() + " s");
            }
        }
    }

    private boolean isWarm(String key) {
        try (LockHandle lock = client.acquire(LockRequest.of("default", key))) {
            return lock.extendAsync(Duration.ofSeconds(1))
                    .exceptionally(failure -> false)
                    .join();
        } catch (LockException notYet) {
            return false;
        }
    }

    public LockClient client() {
        return client;
    }

    public OwnerObserver tap() {
        return tap;
    }

    /** The handle as users of this client see it. */
    public LockHandle seen(LockHandle handle) {
        return mutation.handle(handle, executor);
    }

    @Override
    public void close() {
        client.close();
    }
}
