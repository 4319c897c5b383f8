package io.distributedlock.benchmarks.migration;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.scheduling.annotation.Scheduled;

abstract class FromShedLock {

    abstract static class Before {

        @Scheduled(cron = "0 0 3 * * *")
        @SchedulerLock(name = "report", lockAtMostFor = "10m")
        public abstract void report();
    }

    abstract static class After {

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(name = "report", key = "'daily'", waitTime = "0", onRefusal = OnRefusal.SKIP)
        public abstract void report();
    }
}
