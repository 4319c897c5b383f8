package io.distributedlock.benchmarks.migration;

import com.baomidou.lock.annotation.Lock4j;
import io.distributedlock.spring.DistributedLock;

abstract class FromLock4j {

    abstract static class Before {

        @Lock4j(
                name = "order",
                keys = {"#user"},
                expire = 10_000,
                acquireTimeout = 2_000)
        public abstract String order(String user);
    }

    abstract static class After {

        @DistributedLock(name = "order", key = "#user", ttl = "10s", waitTime = "2s")
        public abstract String order(String user);
    }
}
