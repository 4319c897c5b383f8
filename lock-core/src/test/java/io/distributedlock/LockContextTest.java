package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.ScriptedCall.Verb;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockContextTest {

    private final Bench bench = new Bench();
    private final LockTemplate template = new LockTemplate(bench.client);

    @BeforeEach
    void grantAndFree() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(LockContext.current()).isEmpty();
        assertThat(LockContext.find("orders")).isEmpty();
    }

    @Test
    void theLocksOfTheThreadAreListedFromTheInnermostOutwards() {
        template.run(LockRequest.of("orders", "1"), outer -> {
            assertThat(LockContext.current()).containsExactly(outer);
            template.run(LockRequest.of("stock", "2"), inner -> {
                assertThat(LockContext.current()).containsExactly(inner, outer);
                assertThat(LockContext.find("orders")).containsSame(outer);
                assertThat(LockContext.find("stock")).containsSame(inner);
                assertThat(LockContext.find("other")).isEmpty();
            });
            assertThat(LockContext.current()).containsExactly(outer);
        });
    }

    @Test
    void ofTwoLocksWithOneNameTheInnermostIsFound() {
        template.run(
                LockRequest.of("orders", "1"),
                outer -> template.run(
                        LockRequest.of("orders", "2"),
                        inner -> assertThat(LockContext.find("orders")).containsSame(inner)));
    }

    @Test
    void aMethodCanRequireThatItRunsUnderALock() {
        assertThatThrownBy(LockContext::requireHeld)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not run under a lock. Call the locked method through its Spring bean");
        template.run(LockRequest.of("orders", "1"), lock -> {
            LockContext.requireHeld();
            LockContext.requireHeld("orders");
            assertThatThrownBy(() -> LockContext.requireHeld("stock"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not run under a lock with the name 'stock'");
        });
    }

    @Test
    void aLostLockIsNotTheRequiredOne() {
        LockHandle orders = bench.client.acquire(LockRequest.of("orders", "1"));
        LockContext.callUnder(orders, lock -> {
            LockContext.requireHeld("orders");
            orders.close();
            assertThatThrownBy(LockContext::requireHeld).isInstanceOf(LockLostException.class);
            return null;
        });
    }

    @Test
    void aCoveredCallAddsNothing() {
        template.run(
                "1",
                outer -> template.run(
                        "1", inner -> assertThat(LockContext.current()).containsExactly(outer)));
    }

    @Test
    void anExceptionLeavesTheContextAsItWasBefore() {
        template.run(LockRequest.of("orders", "1"), outer -> {
            assertThatThrownBy(() -> template.run(LockRequest.of("stock", "2"), inner -> {
                        throw new IllegalStateException("business");
                    }))
                    .hasMessage("business");
            assertThat(LockContext.current()).containsExactly(outer);
        });
    }

    @Test
    void theLockIsOutOfTheContextBeforeItsReleaseIsSent() {
        bench.store.always(Verb.RELEASE, call -> {
            assertThat(LockContext.current()).isEmpty();
            call.frees();
        });
        template.run("1", lock -> assertThat(LockContext.current()).hasSize(1));
        assertThat(bench.store.calls(Verb.RELEASE)).allMatch(ScriptedCall::isAnswered);
    }

    @Test
    void anotherThreadSeesNothing() {
        List<LockHandle> seen = template.execute(
                "1", lock -> CompletableFuture.supplyAsync(LockContext::current).join());
        assertThat(seen).isEmpty();
    }

    @Test
    void theListIsACopyThatNoCallerCanChange() {
        template.run("1", lock -> {
            List<LockHandle> locks = LockContext.current();
            assertThatThrownBy(locks::clear).isInstanceOf(UnsupportedOperationException.class);
        });
    }
}
