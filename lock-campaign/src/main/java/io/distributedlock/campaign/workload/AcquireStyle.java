package io.distributedlock.campaign.workload;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How a thread asks for a lock. Each style returns a lock or throws what the blocking call throws, or {@link
 * CancellationException}.
 */
enum AcquireStyle {
    /** A call that blocks. */
    CALL {
        @Override
        LockHandle acquire(LockClient client, LockRequest request) {
            return client.acquire(request);
        }
    },
    /** A call that blocks and is interrupted after a moment, if it has not returned. */
    INTERRUPTED_CALL {
        @Override
        LockHandle acquire(LockClient client, LockRequest request) {
            try (InterruptWindow window = InterruptWindow.open(moment())) {
                return client.acquire(request);
            }
        }
    },
    /** A future that is waited for. */
    FUTURE {
        @Override
        LockHandle acquire(LockClient client, LockRequest request) {
            return joined(client.acquireAsync(request));
        }
    },
    /** A future that is cancelled after a moment, if it has not completed. */
    CANCELLED_FUTURE {
        @Override
        LockHandle acquire(LockClient client, LockRequest request) {
            CompletableFuture<LockHandle> future = client.acquireAsync(request);
            try {
                return future.get(moment().toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                if (future.cancel(true)) {
                    throw new CancellationException();
                }
                return joined(future);
            } catch (ExecutionException failed) {
                return joined(future);
            } catch (InterruptedException stray) {
                throw new IllegalStateException("nothing interrupts this thread here", stray);
            }
        }
    };

    private static final long LONGEST_MOMENT = TimeUnit.MILLISECONDS.toNanos(20);

    abstract LockHandle acquire(LockClient client, LockRequest request);

    private static Duration moment() {
        double part = ThreadLocalRandom.current().nextDouble();
        return Duration.ofNanos((long) (part * part * part * LONGEST_MOMENT));
    }

    private static LockHandle joined(CompletableFuture<LockHandle> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException known ? known : failed;
        }
    }
}
