package io.distributedlock.benchmarks.child;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** The processor time that this process has used up to some moment. */
public record Cpu(Duration used) {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    public static Cpu now() {
        return new Cpu(Duration.ofNanos(SYSTEM.getProcessCpuTime()));
    }

    public Duration usedSince() {
        return now().used().minus(used);
    }
}
