package io.distributedlock.campaign.client;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** An application's executor, which can be kept busy by other work. */
public final class BusyExecutor implements Executor, AutoCloseable {

    private static final int THREADS = 2;

    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "campaign-executor");
                thread.setDaemon(true);
                return thread;
            });

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /** Occupies all threads until the result is closed. */
    public Occupation occupy() {
        CountDownLatch freed = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            pool.execute(() -> {
                try {
                    freed.await();
                } catch (InterruptedException shutDown) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        return freed::countDown;
    }

    /** A time in which nothing else runs here. */
    @FunctionalInterface
    public interface Occupation extends AutoCloseable {

        @Override
        void close();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
