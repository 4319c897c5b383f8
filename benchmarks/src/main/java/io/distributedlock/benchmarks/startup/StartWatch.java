package io.distributedlock.benchmarks.startup;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** Takes the time of a start from its own making on. */
final class StartWatch implements ApplicationListener<ApplicationPreparedEvent> {

    private final long begin = System.nanoTime();
    private final Consumer<ConfigurableApplicationContext> interlude;
    private long interrupted;

    /** @param interlude is done before the first bean is made, and its time does not count */
    StartWatch(Consumer<ConfigurableApplicationContext> interlude) {
        this.interlude = interlude;
    }

    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        long pause = System.nanoTime();
        interlude.accept(event.getApplicationContext());
        interrupted = System.nanoTime() - pause;
    }

    /** Until another process ends this one: to end by itself would take time from the start beside it. */
    static void awaitEnd() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** The line that {@link Start#parse} reads. */
    String sinceBegin() {
        long wall = System.nanoTime() - begin - interrupted;
        long cpu = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toMillis();
        return wall / 1_000_000 + " " + cpu;
    }
}
