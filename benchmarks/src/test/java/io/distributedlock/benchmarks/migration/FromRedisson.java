package io.distributedlock.benchmarks.migration;

import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

abstract class FromRedisson {

    abstract void book(String account);

    abstract static class Before extends FromRedisson {
        private final RedissonClient redisson;

        Before(RedissonClient redisson) {
            this.redisson = redisson;
        }

        void transfer(String account) {
            RLock lock = redisson.getLock("account:" + account);
            lock.lock();
            try {
                book(account);
            } finally {
                lock.unlock();
            }
        }

        boolean tryTransfer(String account) throws InterruptedException {
            RLock lock = redisson.getLock("account:" + account);
            if (!lock.tryLock(2, 10, TimeUnit.SECONDS)) {
                return false;
            }
            try {
                book(account);
                return true;
            } finally {
                lock.unlock();
            }
        }
    }

    abstract static class After extends FromRedisson {
        private final LockTemplate locks;

        After(LockTemplate locks) {
            this.locks = locks;
        }

        void transfer(String account) {
            locks.run(LockRequest.of("account", account).withWaitTime(Duration.ofHours(1)), lock -> book(account));
        }

        boolean tryTransfer(String account) {
            LockRequest request = LockRequest.of("account", account)
                    .withWaitTime(Duration.ofSeconds(2))
                    .withTtl(Duration.ofSeconds(10));
            return locks.tryExecute(request, lock -> {
                        book(account);
                        return true;
                    })
                    .isPresent();
        }
    }
}
