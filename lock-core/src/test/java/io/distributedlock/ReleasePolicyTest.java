package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedlock.ScriptedCall.Verb;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReleasePolicyTest {

    private static final LockRequest ORDER = LockRequest.of("orders", "42");
    private static final LockRequest STOCK = LockRequest.of("stock", "7");

    private final Bench bench = new Bench();
    private final Deque<Runnable> later = new ArrayDeque<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final LockTemplate template = new LockTemplate(bench.client, request -> {
        asked.incrementAndGet();
        return later::push;
    });

    @BeforeEach
    void grantAndFree() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        releaseAll();
        assertThat(LockContext.current()).isEmpty();
    }

    private void releaseAll() {
        while (!later.isEmpty()) {
            later.pop().run();
        }
    }

    @Test
    void aLockThatOutlastsItsCallIsHeldUntilItsReleaseRuns() {
        LockHandle lock = template.execute(ORDER, held -> held);
        assertThat(lock.isHeld()).isTrue();
        assertThat(LockContext.current()).containsExactly(lock);

        releaseAll();
        assertThat(lock.isHeld()).isFalse();
        assertThat(LockContext.current()).isEmpty();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void itCoversFurtherRequestsOfItsThread() {
        LockHandle first = template.execute(ORDER, held -> held);
        LockHandle second = template.execute(ORDER, held -> held);
        Optional<LockHandle> third = template.tryExecute(ORDER, held -> held);
        assertThat(second).isSameAs(first);
        assertThat(third).containsSame(first);
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSize(1);
        assertThat(asked).hasValue(1);
        assertThat(later).hasSize(1);
    }

    @Test
    void itStaysListedWhenTheCallAroundItHasEnded() {
        LockTemplate plain = new LockTemplate(bench.client);
        LockHandle inner = plain.execute(STOCK, outer -> template.execute(ORDER, held -> held));
        assertThat(LockContext.current()).containsExactly(inner);
    }

    @Test
    void itIsKeptTooWhenTheWorkFails() {
        assertThatThrownBy(() -> template.run(ORDER, held -> {
                    throw new IllegalStateException("business");
                }))
                .hasMessage("business");
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        assertThat(LockContext.current()).hasSize(1);
    }

    @Test
    void aReleaseOnAnotherThreadIsSeenByTheOneThatTookTheLock() throws InterruptedException {
        LockHandle lock = template.execute(ORDER, held -> held);
        Thread other = new Thread(later.pop());
        other.start();
        other.join();
        assertThat(lock.isHeld()).isFalse();
        assertThat(LockContext.current()).isEmpty();
        assertThat(template.<LockHandle, RuntimeException>execute(ORDER, held -> held))
                .isNotSameAs(lock);
    }

    @Test
    void aRequestUnderALockThatWasLostMeanwhileDoesNotRun() {
        template.run(ORDER, held -> {});
        bench.time.pause(Bench.TTL);
        LockLostException lost = catchThrowableOfType(
                LockLostException.class, () -> template.run(ORDER, held -> asked.incrementAndGet()));
        assertThat(lost.reason()).isEqualTo(LossReason.DEADLINE);
        assertThat(asked).hasValue(1);
        assertThatThrownBy(() -> later.pop().run()).isInstanceOf(LockLostException.class);
    }

    @Test
    void aPolicyThatRefusesKeepsTheLockFromBeingRequested() {
        LockTemplate refusing = new LockTemplate(bench.client, request -> {
            throw new IllegalStateException("not here: " + request.name());
        });
        assertThatThrownBy(() -> refusing.run(ORDER, held -> {})).hasMessage("not here: orders");
        assertThatThrownBy(() -> refusing.tryExecute(ORDER, held -> held)).hasMessage("not here: orders");
        assertThat(bench.store.verbs()).isEmpty();
    }
}
