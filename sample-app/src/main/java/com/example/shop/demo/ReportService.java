package com.example.shop.demo;

import com.example.shop.SimulatedWork;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.spring.DistributedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Writes the daily report, on one server at a time, however long that takes. */
@Service
public class ReportService {

    /** The identity of its lock, as monitors show it. */
    public static final String LOCK = "report:daily";

    private static final Logger log = LoggerFactory.getLogger(ReportService.class);
    private static final Duration STEP = Duration.ofSeconds(2);

    private final LockProbe probe;

    ReportService(LockProbe probe) {
        this.probe = probe;
    }

    /**
     * Without a ttl, the lock is renewed until this method returns; if the process dies, the lock is free again within
     * {@code distributed-lock.ttl}.
     */
    @DistributedLock(name = "report", key = "'daily'", waitTime = "0s")
    public Report run(Duration length) {
        return write(length);
    }

    /** The same, but waits for up to two minutes until another server has finished, or its lease has ended. */
    @DistributedLock(name = "report", key = "'daily'", waitTime = "2m")
    public Report runNext(Duration length) {
        return write(length);
    }

    private Report write(Duration length) {
        LockHandle lock = LockContext.find("report").orElseThrow();
        List<Long> lifetimes = new ArrayList<>();
        long begin = System.nanoTime();
        for (Duration done = Duration.ZERO; done.compareTo(length) < 0; done = since(begin)) {
            // Long work asks now and then, so that it stops soon after its lock is lost.
            lock.requireHeld();
            OptionalLong pttl = probe.pttl(lock);
            pttl.ifPresent(lifetimes::add);
            log.info(
                    "Report: {} of {} s done, PTTL {} = {}",
                    done.toSeconds(),
                    length.toSeconds(),
                    probe.redisKey(lock),
                    pttl.isPresent() ? pttl.getAsLong() + " ms" : "unknown, Redis does not answer");
            SimulatedWork.take(shorter(STEP, length.minus(done)));
        }
        return new Report(length.toSeconds(), probe.redisKey(lock), lifetimes);
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
