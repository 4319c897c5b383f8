package io.distributedlock.campaign.workload;

import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.testkit.history.EventSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** The threads of one process that take locks, work under them and release them, again and again. */
public final class WorkerGroup {

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final String process;
    private final ClientUnderTest underTest;
    private final SharedState sharedState;
    private final EventSink sink;
    private final CountDownLatch end = new CountDownLatch(1);

    public WorkerGroup(String process, ClientUnderTest underTest, SharedState sharedState, EventSink sink) {
        this.process = process;
        this.underTest = underTest;
        this.sharedState = sharedState;
        this.sink = sink;
    }

    /**
     * Adds a thread.
     *
     * @param id unique among the threads of all processes
     * @param ownKey the position of the key that this thread has for itself
     */
    public void join(long id, int ownKey, OperationMix mix, long seed) {
        Worker worker = new Worker(this, process + "/" + id, id);
        Random random = new Random(seed);
        Thread thread = new Thread(() -> run(worker, ownKey, mix, random), "campaign-" + process + "-" + id);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void run(Worker worker, int ownKey, OperationMix mix, Random random) {
        try {
            while (!isEnding() && errors.isEmpty()) {
                worker.run(mix.next(random, sharedState.contended(), ownKey));
            }
        } catch (RuntimeException | Error error) {
            errors.add(error);
        }
    }

    /** Whether work is to be cut short. */
    boolean isEnding() {
        return end.getCount() == 0;
    }

    /** Ends all threads after their present operation, and returns when they have ended. */
    public void stop() {
        end.countDown();
        threads.forEach(WorkerGroup::awaitEnd);
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
    public List<Throwable> errors() {
        return List.copyOf(errors);
    }

    ClientUnderTest underTest() {
        return underTest;
    }

    SharedState sharedState() {
        return sharedState;
    }

    EventSink sink() {
        return sink;
    }
}
