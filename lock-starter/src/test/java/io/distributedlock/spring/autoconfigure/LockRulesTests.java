package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.SegmentedLock;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.OnRefusal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls need a lock, and which part of it, and which rules cannot work. */
@Timeout(60)
class LockRulesTests {

    private static List<String> locks() {
        return LockContext.current().stream()
                .map(lock -> lock.name() + ":" + lock.key())
                .toList();
    }

    static class Transfers {
        @DistributedLock(name = "transfer", key = "#account", condition = "#amount > 100 and @limits.apply(#account)")
        public List<String> send(String account, int amount) {
            return locks();
        }

        @DistributedLock(name = "transfer", key = "#account", condition = "#account")
        public List<String> odd(String account) {
            return locks();
        }
    }

    public static class Limits {
        public boolean apply(String account) {
            return !account.equals("house");
        }
    }

    @Test
    void onlyCallsThatMeetTheConditionTakeTheLock() {
        Contexts.withMemory()
                .withBean(Transfers.class)
                .withBean("limits", Limits.class)
                .run(context -> {
                    Transfers transfers = context.getBean(Transfers.class);
                    assertThat(transfers.send("42", 101)).containsExactly("transfer:42");
                    assertThat(transfers.send("42", 100)).isEmpty();
                    assertThat(transfers.send("house", 101)).isEmpty();
                    assertThat(transfers.send(" ", 1)).isEmpty();
                });
    }

    @Test
    void aConditionThatIsNeitherTrueNorFalseFailsTheCall() {
        Contexts.withMemory()
                .withBean(Transfers.class)
                .withBean("limits", Limits.class)
                .run(context -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> context.getBean(Transfers.class).odd("42"))
                        .withMessageContaining("The condition \"#account\" of")
                        .withMessageContaining(
                                "gives a java.lang.String instead of true or false. The method was not called"));
    }

    static class WrongCondition {
        @DistributedLock(key = "#account", condition = "#amuont > 100")
        public void send(String account, int amount) {}
    }

    static class NoSegments {
        @DistributedLock(key = "#account", segments = 10)
        public void send(String account) {}
    }

    static class NoHandler {
        @DistributedLock(key = "#account", handler = "nobody")
        public void send(String account) {}
    }

    static class HandlerAndSkip {
        @DistributedLock(key = "#account", handler = "nobody", onRefusal = OnRefusal.SKIP)
        public void send(String account) {}
    }

    @DistributedLock(key = "'all'", onRefusal = OnRefusal.SKIP)
    static class SkippedPrimitive {
        public boolean send() {
            return true;
        }
    }

    @Test
    void whatCannotWorkStopsTheStart() {
        refused(WrongCondition.class)
                .hasMessageContaining("the condition \"#amuont > 100\" uses #amuont, which is no parameter");
        refused(NoSegments.class).hasMessageContaining("it has segments = 10 and segmentBy = \"\"");
        refused(NoHandler.class).hasMessageContaining("its handler 'nobody' is no bean of type LockRefusedHandler");
        refused(HandlerAndSkip.class).hasMessageContaining("it has a handler, and skips refused calls");
        refused(SkippedPrimitive.class)
                .hasMessageContaining("SkippedPrimitive.send(): a skipped call has no result to return");
    }

    private static AbstractThrowableAssert<?, ?> refused(Class<?> bean) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Contexts.withMemory().withBean(bean).run(context -> failure.complete(context.getStartupFailure()));
        return assertThat(failure.join()).isNotNull().rootCause().isInstanceOf(LockConfigurationException.class);
    }

    @DistributedLock(key = "'all'")
    static class Journal {
        public List<String> write(String line) {
            return locks();
        }

        public List<String> read() {
            return locks();
        }

        @DistributedLock(name = "page", key = "#page")
        public List<String> turn(int page) {
            return locks();
        }

        List<String> inside() {
            return locks();
        }
    }

    @Test
    void anAnnotatedClassHasOneLockForItsPublicMethodsThatHaveNoneOfTheirOwn() {
        Contexts.withMemory().withBean(Journal.class).run(context -> {
            Journal journal = context.getBean(Journal.class);
            assertThat(journal.write("x")).containsExactly("Journal:all");
            assertThat(journal.read()).containsExactly("Journal:all");
            assertThat(journal.turn(7)).containsExactly("page:7");
            assertThat(journal.inside()).isEmpty();
        });
    }

    static class Sale {
        @DistributedLock(name = "stock", key = "#product", segments = 10, segmentBy = "#user", waitTime = "0")
        public List<String> buy(long product, String user) {
            return locks();
        }
    }

    @Test
    void aCallTakesTheSegmentOfItsValueOnly() {
        Contexts.withMemory().withBean(Sale.class).run(context -> {
            Sale sale = context.getBean(Sale.class);
            int own = SegmentedLock.segmentOf("user-1", 10);
            int other = SegmentedLock.segmentOf("user-2", 10);
            assertThat(own).isNotEqualTo(other);
            try (LockHandle taken = context.getBean(LockClient.class).acquire(LockRequest.of("stock", "7#" + other))) {
                assertThat(sale.buy(7, "user-1")).containsExactly("stock:7#" + own);
                assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> sale.buy(7, "user-2"));
                assertThat(taken.isHeld()).isTrue();
            }
        });
    }
}
