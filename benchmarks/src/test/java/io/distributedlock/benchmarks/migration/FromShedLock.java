package io.distributedlock.benchmarks.migration;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.scheduling.annotation.Scheduled;

abstract class FromShedLock {

    abstract static class Before {

        @Scheduled(cron = "0 0 3 * * *")
        @SchedulerLock(name = "report", lockAtLeastFor = "5m", lockAtMostFor = "10m")
        public abstract void report();
    }

    abstract static class After {

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(key = "'report'", waitTime = "0", onRefusal = OnRefusal.SKIP, minHold = "5m")
        public abstract void report();
    }
}
