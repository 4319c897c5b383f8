package io.distributedlock.benchmarks.renewal;

import java.util.ArrayList;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RLock without a lease time, kept by its watchdog. */
final class RedissonHeldLocks implements HeldLocks {

    private final List<RLock> held = new ArrayList<>();
    private final RedissonClient client;

    RedissonHeldLocks(int port) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setTimeout(Math.toIntExact(COMMAND_TIMEOUT.toMillis()));
        config.setLockWatchdogTimeout(LEASE.toMillis());
        client = Redisson.create(config);
    }

    @Override
    public void take(String name, int count) {
        for (int i = 0; i < count; i++) {
            RLock lock = client.getLock(name + i);
            if (!lock.tryLock()) {
                throw new IllegalStateException(name + i + " was not granted");
            }
            held.add(lock);
        }
    }

    @Override
    public void release() {
        held.forEach(RLock::unlock);
        held.clear();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
