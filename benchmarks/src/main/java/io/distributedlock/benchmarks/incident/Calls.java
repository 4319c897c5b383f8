package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import io.distributedlock.benchmarks.contender.Locks;
import java.time.Duration;

/** How the clients call. */
final class Calls {

    /** How long each caller is ready to wait for the lock. */
    static final Duration WAIT = Duration.ofSeconds(3);

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private Calls() {}

    /** Takes a lock without contention, over a link that works. A busy machine may need a few tries to connect. */
    static void acquireFree(Locks locks, String key) {
        long begin = System.nanoTime();
        Answer answer = locks.acquire(key, WAIT);
        while (answer.claim() == Claim.NONE && System.nanoTime() - begin < LIMIT.toNanos()) {
            answer = locks.acquire(key, WAIT);
        }
        require(answer, Claim.GRANTED);
    }

    static void release(Locks locks, String key) {
        require(locks.release(key), Claim.RELEASED);
    }

    private static void require(Answer answer, Claim expected) {
        if (answer.claim() != expected) {
            throw new IllegalStateException("an undisturbed call failed: " + answer.words());
        }
    }
}
