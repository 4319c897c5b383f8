package io.distributedlock.internal.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedlock.LockException;
import io.distributedlock.LockId;
import io.distributedlock.LockInterruptedException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AwaitTest {

    private final CompletableFuture<String> never = new CompletableFuture<>();

    @AfterEach
    void clearTheFlag() {
        Thread.interrupted();
    }

    @Test
    void aResultIsHandedOver() throws InterruptedException {
        CompletableFuture<String> done = CompletableFuture.completedFuture("yes");
        assertThat(Await.interruptibly(done)).isEqualTo("yes");
        assertThat(Await.uninterruptibly(done)).isEqualTo("yes");
    }

    @Test
    void aFailureIsThrownAsItIsWithTheStackOfTheThreadThatWaited() throws InterruptedException {
        CompletableFuture<String> failing = new CompletableFuture<>();
        Thread elsewhere =
                new Thread(() -> failing.completeExceptionally(new LockInterruptedException(LockId.of("a", "b"))));
        elsewhere.start();
        elsewhere.join();
        LockException thrown = catchThrowableOfType(LockException.class, () -> Await.interruptibly(failing));
        assertThat(thrown.getStackTrace())
                .extracting(StackTraceElement::getClassName)
                .contains(Await.class.getName(), AwaitTest.class.getName());
        assertThatThrownBy(() -> Await.uninterruptibly(failing)).isSameAs(thrown);
    }

    @Test
    void anErrorStaysAnErrorAndAnythingElseIsReportedAsUnexpected() {
        Error error = new StackOverflowError();
        assertThat(catchThrowable(() -> Await.uninterruptibly(CompletableFuture.failedFuture(error))))
                .isSameAs(error);
        IOException odd = new IOException("odd");
        assertThatThrownBy(() -> Await.uninterruptibly(CompletableFuture.failedFuture(odd)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("odd")
                .hasCause(odd);
    }

    @Test
    void anInterruptEndsAnInterruptibleWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Await.interruptibly(never)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptDoesNotEndAnUninterruptibleWaitAndIsKept() {
        CompletableFuture<String> later = new CompletableFuture<>();
        Thread waiter = Thread.currentThread();
        waiter.interrupt();
        Thread other = new Thread(() -> {
            while (waiter.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            later.complete("yes");
        });
        other.start();
        assertThat(Await.uninterruptibly(later)).isEqualTo("yes");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aBoundedWaitEndsWithItsLimitWithAFailureOrWithAnInterruptThatIsKept() {
        Await.atMost(Duration.ofMillis(1), never);
        Await.atMost(Duration.ofDays(1), CompletableFuture.failedFuture(new IOException("ignored")));
        Await.atMost(Duration.ofDays(1), CompletableFuture.completedFuture("yes"));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        Await.atMost(Duration.ofDays(1), never);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(never).isNotDone();
    }
}
