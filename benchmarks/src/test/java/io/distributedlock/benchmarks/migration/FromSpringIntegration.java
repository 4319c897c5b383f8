package io.distributedlock.benchmarks.migration;

import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.LockRegistry;

abstract class FromSpringIntegration {

    abstract void place(String user);

    abstract static class Before extends FromSpringIntegration {
        private final LockRegistry<?> registry;

        Before(LockRegistry<?> registry) {
            this.registry = registry;
        }

        void order(String user) throws InterruptedException {
            Lock lock = registry.obtain("order:" + user);
            if (!lock.tryLock(2, TimeUnit.SECONDS)) {
                throw new IllegalStateException("another order of " + user + " is being placed");
            }
            try {
                place(user);
            } finally {
                lock.unlock();
            }
        }
    }

    abstract static class After extends FromSpringIntegration {
        private final LockTemplate locks;

        After(LockTemplate locks) {
            this.locks = locks;
        }

        void order(String user) {
            locks.run(LockRequest.of("order", user).withWaitTime(Duration.ofSeconds(2)), lock -> place(user));
        }
    }
}
