package io.distributedlock.benchmarks.startup;

import java.time.Duration;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.context.ApplicationListener;

/** Takes the time of a start from its own making on. */
final class StartWatch implements ApplicationListener<ApplicationPreparedEvent> {

    private final long begin = System.nanoTime();
    private long prepared = begin;

    /** Up to here an application knows its settings, but none of its beans. */
    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        prepared = System.nanoTime();
    }

    /** The line that {@link Start#parse} reads. */
    String sinceBegin() {
        long wall = System.nanoTime() - begin;
        long cpu = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toMillis();
        return wall / 1_000_000 + " " + cpu + " " + (prepared - begin) / 1_000_000;
    }
}
