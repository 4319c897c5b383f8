package io.distributedlock.campaign.workload;

import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LossReason;
import io.distributedlock.campaign.workload.RecordedCalls.Part;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.MutualExclusionWord;
import io.distributedlock.testkit.history.RecordedCall;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The work under one lock, or under several that are held as one.
 *
 * <p>It asks the handle again and again whether the lock is still held, and stops when it is not. A loss is recorded
 * once, when the handle signals it, but with the last instant at which the handle was known to say "held": until then
 * the holder believed in the lock for certain, however late a busy machine runs its threads. A lock that was lost
 * before its call returned, because the thread got no processor for so long, was never believed in. Only a loss that
 * the release has found out has no other time than that.
 */
final class LockedWork {

    private static final long STEP_NANOS = 500_000;
    private static final long LATEST_SIGNAL_SECONDS = 10;

    private final Worker worker;
    private final RecordedCalls calls;
    private final LockHandle lock;
    private final Operation operation;
    private volatile long lastBelief = Long.MIN_VALUE;
    private volatile boolean disbelieved;
    private final CountDownLatch signalled = new CountDownLatch(1);

    LockedWork(Worker worker, RecordedCalls calls, LockHandle lock, Operation operation) {
        this.worker = worker;
        this.calls = calls;
        this.lock = lock;
        this.operation = operation;
    }

    void run() {
        believe();
        lock.lost().thenAccept(this::onLost);
        guarded().forEach(this::enter);
        operation.extension().ifPresent(lock::extendAsync);
        work(operation.hold());
        guarded().forEach(this::exit);
        calls.each(RecordedCall::releaseInvoked);
        letGo();
    }

    /** Those of the locks that others know as well. */
    private List<Part> guarded() {
        return calls.parts().stream()
                .filter(part -> part.position() != Operation.ONCE)
                .toList();
    }

    private void onLost(LossReason reason) {
        boolean foundAtRelease = (reason == LossReason.NOT_OWNER || reason == LossReason.ABSENT) && !disbelieved;
        long at = foundAtRelease ? System.nanoTime() : lastBelief;
        for (Part part : calls.parts()) {
            record(part, EventKind.LOST, Math.max(at, part.call().grantedAt()), 0, reason.name());
        }
        signalled.countDown();
    }

    private void enter(Part part) {
        SharedState sharedState = worker.workers().sharedState();
        part.call().enter();
        long before = System.nanoTime();
        boolean shared = operation.kind().isShared();
        OptionalLong inside = shared
                ? sharedState.word().enterShared(part.position(), worker.id())
                : sharedState.word().enter(part.position(), worker.id());
        inside.ifPresent(other -> record(part, EventKind.OVERLAP, before, 0, "worker " + other));
        if (!shared) {
            long token = tokenOf(part);
            if (token != 0) {
                sharedState
                        .resource()
                        .write(part.position(), token)
                        .ifPresent(acceptedAt -> record(part, EventKind.ACCEPTED, acceptedAt, token, ""));
            }
        }
    }

    /** That of the grant, or one that is drawn now; zero if there is none. */
    private long tokenOf(Part part) {
        if (part.token() != 0 || !operation.drawsToken()) {
            return part.token();
        }
        try {
            return lock.parts().stream()
                    .filter(each -> calls.parts().size() == 1 || each.key().equals(part.key()))
                    .findFirst()
                    .orElseThrow()
                    .fencingToken();
        } catch (LockException notDrawn) {
            return 0;
        }
    }

    private void work(Duration time) {
        long begin = System.nanoTime();
        while (true) {
            long now = System.nanoTime();
            if (!believe()) {
                disbelieved = true;
                return;
            }
            long left = time.toNanos() - (now - begin);
            if (left <= 0 || worker.workers().isEnding()) {
                return;
            }
            LockSupport.parkNanos(Math.min(left, STEP_NANOS));
        }
    }

    /** Whether the handle says that the lock is held; it was so at the instant before the question. */
    private boolean believe() {
        long now = System.nanoTime();
        boolean held = lock.isHeld();
        if (held) {
            lastBelief = now;
        }
        return held;
    }

    /** Leaves the word first, so that an overlap is always seen before the recorded end of the work. */
    private void exit(Part part) {
        MutualExclusionWord word = worker.workers().sharedState().word();
        if (operation.kind().isShared()) {
            word.exitShared(part.position(), worker.id());
        } else {
            word.exit(part.position(), worker.id());
        }
        part.call().exit();
    }

    private void letGo() {
        switch (operation.releaseStyle()) {
            case RELEASE -> release();
            case RELEASE_ON_ANOTHER_THREAD ->
                CompletableFuture.runAsync(this::release).join();
            case RELEASE_ASYNC -> releaseAsync();
            case RELEASE_WHILE_INTERRUPTED -> {
                try (InterruptWindow window = InterruptWindow.open(Duration.ZERO)) {
                    release();
                }
            }
        }
    }

    private void release() {
        try {
            lock.release();
            calls.each(RecordedCall::released);
        } catch (LockLostException lost) {
            reportedLost(lost);
        }
    }

    /** The signal may be late on a busy machine, and the history must not end before it. */
    private void reportedLost(LockLostException lost) {
        calls.each(call -> call.releaseReportedLost(lost.reason().name()));
        boolean interrupted = Thread.interrupted();
        try {
            signalled.await(LATEST_SIGNAL_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void releaseAsync() {
        try {
            lock.releaseAsync().join();
            calls.each(RecordedCall::released);
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof LockLostException lost) {
                reportedLost(lost);
            } else {
                throw failed;
            }
        }
    }

    private void record(Part part, EventKind kind, long nanos, long value, String detail) {
        String hold = part.call().hold();
        worker.workers().sink().record(new Event(kind, part.key(), worker.client(), hold, nanos, value, "", detail));
    }
}
