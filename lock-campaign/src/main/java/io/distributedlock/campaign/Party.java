package io.distributedlock.campaign;

import io.distributedlock.testkit.history.EventSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** The threads of one process that take locks, work under them and let go, again and again. */
final class Party {

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private final String process;
    private final Subject subject;
    private final Arena arena;
    private final EventSink sink;
    private final CountDownLatch end = new CountDownLatch(1);

    Party(String process, Subject subject, Arena arena, EventSink sink) {
        this.process = process;
        this.subject = subject;
        this.arena = arena;
        this.sink = sink;
    }

    /**
     * Adds a thread.
     *
     * @param id unique among the threads of all processes
     * @param ownKey the position of the key that this thread has for itself
     */
    void join(long id, int ownKey, Mix mix, long seed) {
        Worker worker = new Worker(this, process + "/" + id, id);
        Random random = new Random(seed);
        Thread thread = new Thread(() -> run(worker, ownKey, mix, random), "campaign-" + process + "-" + id);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void run(Worker worker, int ownKey, Mix mix, Random random) {
        try {
            while (!isEnding() && surprises.isEmpty()) {
                worker.run(mix.next(random, arena.contended(), ownKey));
            }
        } catch (RuntimeException | Error surprise) {
            surprises.add(surprise);
        }
    }

    /** Whether work is to be cut short. */
    boolean isEnding() {
        return end.getCount() == 0;
    }

    /** Ends all threads after their present operation, and returns when they have ended. */
    void stop() {
        end.countDown();
        threads.forEach(Party::awaitEnd);
    }

    private static void awaitEnd(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while threads of a campaign end", interrupted);
        }
    }

    /** What was thrown that no lock call may throw. */
    List<Throwable> surprises() {
        return List.copyOf(surprises);
    }

    Subject subject() {
        return subject;
    }

    Arena arena() {
        return arena;
    }

    EventSink sink() {
        return sink;
    }
}
