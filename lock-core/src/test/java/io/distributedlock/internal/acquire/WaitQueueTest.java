package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.client.DefaultLockClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;

/** A client whose callers want the same lock and stand in line for it, and a store that moves by hand. */
abstract class WaitQueueTest {

    static final LockRequest WANTED = LockRequest.of("42");
    static final Duration LEASE_ENDS = Duration.ofSeconds(20);

    final Bench bench = new Bench();
    final DefaultLockClient line = bench.settings().build();

    @AfterEach
    void noCallerIsForgotten() {
        assertThat(line.waiting()).isZero();
    }

    CompletableFuture<LockHandle> ask() {
        return line.acquireAsync(WANTED);
    }

    LockHandle holding() {
        CompletableFuture<LockHandle> first = ask();
        bench.acquire().grants(7);
        return now(first);
    }

    void freeAll() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }
}
