package io.distributedlock.benchmarks.startup;

import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** Takes the time of a start from its own making on. */
final class StartWatch implements ApplicationListener<ApplicationPreparedEvent> {

    private final long begin = System.nanoTime();
    private final Consumer<ConfigurableApplicationContext> interlude;
    private long prepared = begin;
    private long resumed = begin;

    /** @param interlude is done before the first bean is made, and its time does not count */
    StartWatch(Consumer<ConfigurableApplicationContext> interlude) {
        this.interlude = interlude;
    }

    /** Up to here an application knows its settings, but none of its beans. */
    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        prepared = System.nanoTime();
        interlude.accept(event.getApplicationContext());
        resumed = System.nanoTime();
    }

    /** The line that {@link Start#parse} reads. */
    String sinceBegin() {
        long wall = System.nanoTime() - resumed + prepared - begin;
        long cpu = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toMillis();
        return wall / 1_000_000 + " " + cpu + " " + (prepared - begin) / 1_000_000;
    }
}
