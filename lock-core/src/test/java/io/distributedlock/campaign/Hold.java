package io.distributedlock.campaign;

import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.RecordedCall;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/**
 * The work under one lock.
 *
 * <p>It asks the handle again and again whether the lock is still held, and stops when it is not. A loss is recorded once, when the handle
 * tells it, but with the last instant at which the handle was known to say "held": until then the holder believed in the lock for certain,
 * however late a busy machine runs its threads. Only a loss that the release has found out has no other time than that.
 */
final class Hold {

    private static final long STEP_NANOS = 500_000;

    private final Worker worker;
    private final RecordedCall call;
    private final LockHandle lock;
    private final Operation operation;
    private final String key;
    private volatile long lastBelief = System.nanoTime();
    private volatile boolean disbelieved;

    Hold(Worker worker, RecordedCall call, LockHandle lock, Operation operation, String key) {
        this.worker = worker;
        this.call = call;
        this.lock = lock;
        this.operation = operation;
        this.key = key;
    }

    void run() {
        lock.lost().thenAccept(this::told);
        if (operation.isShared()) {
            enter();
        }
        operation.extension().ifPresent(lock::extendAsync);
        work(operation.hold());
        if (operation.isShared()) {
            exit();
        }
        call.releaseInvoked();
        letGo();
    }

    private void told(LossReason reason) {
        boolean foundAtRelease = reason == LossReason.NOT_OWNER && !disbelieved;
        record(EventKind.LOST, foundAtRelease ? System.nanoTime() : lastBelief, 0, reason.name());
    }

    private void enter() {
        Arena arena = worker.party().arena();
        call.enter();
        long before = System.nanoTime();
        OptionalLong inside = arena.word().enter(operation.key(), worker.id());
        inside.ifPresent(other -> record(EventKind.OVERLAP, before, 0, "worker " + other));
        arena.resource()
                .write(operation.key(), lock.fencingToken())
                .ifPresent(acceptedAt -> record(EventKind.ACCEPTED, acceptedAt, lock.fencingToken(), ""));
    }

    private void work(Duration time) {
        long begin = System.nanoTime();
        while (true) {
            long now = System.nanoTime();
            if (!lock.isHeld()) {
                disbelieved = true;
                return;
            }
            lastBelief = now;
            long left = time.toNanos() - (now - begin);
            if (left <= 0 || worker.party().isEnding()) {
                return;
            }
            LockSupport.parkNanos(Math.min(left, STEP_NANOS));
        }
    }

    /** The word is left first, so that who finds it taken does so before the recorded end of the work. */
    private void exit() {
        worker.party().arena().word().exit(operation.key(), worker.id());
        call.exit();
    }

    private void letGo() {
        switch (operation.farewell()) {
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
            call.released();
        } catch (LockLostException lost) {
            call.releaseReportedLost(lost.reason().name());
        }
    }

    private void releaseAsync() {
        try {
            lock.releaseAsync().join();
            call.released();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof LockLostException lost) {
                call.releaseReportedLost(lost.reason().name());
            } else {
                throw failed;
            }
        }
    }

    private void record(EventKind kind, long nanos, long value, String detail) {
        worker.party().sink().record(new Event(kind, key, worker.client(), call.hold(), nanos, value, "", detail));
    }
}
