package io.distributedlock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spring.actuate.LocksEndpoint.Fleet;
import io.distributedlock.spring.actuate.LocksEndpoint.Locks;
import io.distributedlock.spring.actuate.LocksEndpoint.OneLock;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;

@Timeout(60)
class LocksEndpointTests {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final List<Object> published = new ArrayList<>();
    private final LocksEndpoint endpoint = new LocksEndpoint(client.monitor(), 2);
    private final ReleasingLocksEndpoint releasing = new ReleasingLocksEndpoint(client.monitor(), 2, published::add);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void itListsWhatIsHeldAndAwaitedHere() {
        LockHandle lock = client.acquire(WANTED);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED);
        Locks locks = endpoint.locks();
        assertThat(locks.heldCount()).isOne();
        assertThat(locks.awaitedCount()).isOne();
        assertThat(locks.held()).singleElement().satisfies(held -> {
            assertThat(held.id()).isEqualTo("orders:42");
            assertThat(held.name()).isEqualTo("orders");
            assertThat(held.owner()).hasSize(8);
            assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(held.remaining()).isPositive();
            assertThat(held.waitersHere()).isOne();
        });
        assertThat(locks.awaited()).extracting(LockReport.Awaited::id).containsExactly("orders:42");
        lock.release();
        waiting.join().release();
        assertThat(endpoint.locks().heldCount()).isZero();
    }

    @Test
    void itsListsAreCappedButItsCountsAreWhole() {
        List<LockHandle> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(client.acquire(LockRequest.of("orders", "k" + i)));
        }
        Locks locks = endpoint.locks();
        assertThat(locks.heldCount()).isEqualTo(all.size());
        assertThat(locks.held()).extracting(HeldHere::id).containsExactly("orders:k0", "orders:k1");
    }

    @Test
    void allLocksAreListedPageByPageIfTheyAreAskedFor() {
        for (String key : List.of("a", "b", "c")) {
            assertThat(client.acquire(LockRequest.of("orders", key)).isHeld()).isTrue();
        }
        assertThat(endpoint.locks(null, null, null).fleet()).isNull();
        Fleet first = endpoint.locks(true, null, null).fleet();
        assertThat(first.locks()).extracting(LockReport.Listed::id).containsExactly("orders:a", "orders:b");
        assertThat(first.locks()).allSatisfy(lock -> {
            assertThat(lock.heldHere()).isTrue();
            assertThat(lock.holders())
                    .singleElement()
                    .satisfies(who -> assertThat(who.thread())
                            .isEqualTo(Thread.currentThread().getName()));
        });
        Fleet second = endpoint.locks(true, first.next(), 10).fleet();
        assertThat(second.locks()).extracting(LockReport.Listed::id).containsExactly("orders:c");
        assertThat(second.next()).isNull();
    }

    @Test
    void aStoreThatDoesNotAnswerIsNamedAsTheProblem() {
        LockMonitor here = client.monitor();
        LockMonitor silent = (LockMonitor) Proxy.newProxyInstance(
                LockMonitor.class.getClassLoader(), new Class<?>[] {LockMonitor.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list")) {
                        throw new LockUnavailableException(WANTED.id(), Outcome.UNKNOWN, "no reply", null);
                    }
                    return method.invoke(here, arguments);
                });
        Locks locks = new LocksEndpoint(silent, 2).locks(true, null, null);
        assertThat(locks.fleet().problem()).isEqualTo("no reply");
        assertThat(locks.fleet().locks()).isEmpty();
    }

    @Test
    void oneLockIsReadFromTheStore() {
        try (LockHandle lock = client.acquire(WANTED)) {
            OneLock found = endpoint.lock("orders:42");
            assertThat(found.held()).isTrue();
            assertThat(found.holder()).isNotNull().satisfies(stored -> {
                assertThat(stored.heldHere()).isEqualTo(lock.isHeld());
                assertThat(stored.owner())
                        .isEqualTo(endpoint.locks().held().get(0).owner());
            });
        }
        assertThat(endpoint.lock("orders:42")).isEqualTo(new OneLock("orders:42", null, false, null, List.of()));
    }

    @ParameterizedTest
    @CsvSource({"1:2,pay:1:2", "a b,pay:a b", "a b,pay:a%20b", "50%,pay:50%", "50%,pay:50%25"})
    void aLockIsFoundByItsKeyAsItIsAndAsTheEndpointShowsIt(String key, String id) {
        try (LockHandle lock = client.acquire(LockRequest.of("pay", key))) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(endpoint.lock(id).held()).isTrue();
            assertThat(endpoint.lock(endpoint.locks().held().get(0).id()).held())
                    .isTrue();
        }
    }

    @Test
    void whatIsNoIdIsABadRequest() {
        assertThatExceptionOfType(InvalidEndpointRequestException.class)
                .isThrownBy(() -> endpoint.lock(":42"))
                .withMessageContaining("no id of a lock");
        assertThatExceptionOfType(InvalidEndpointRequestException.class)
                .isThrownBy(() -> releasing.release(":42", SecurityContext.NONE));
    }

    @Test
    void aLockThatIsTakenByForceIsLostToItsHolderAndAudited() {
        LockHandle lock = client.acquire(WANTED);
        LockReport.Stored taken = releasing.release("orders:42", SecurityContext.NONE);
        assertThat(taken).isNotNull();
        assertThat(lock.lost().toCompletableFuture().join()).isEqualTo(LossReason.FORCED);
        assertThat(audited())
                .extracting(AuditEvent::getType)
                .containsExactly("LOCK_FORCED_RELEASE_REQUESTED", "LOCK_FORCED_RELEASE");
        assertThat(audited()).allSatisfy(event -> {
            assertThat(event.getPrincipal()).isEqualTo("anonymous");
            assertThat(event.getData()).containsEntry("lock", "orders:42");
        });
        assertThat(audited().get(1).getData()).containsEntry("owner", taken.owner());
        client.acquire(WANTED).release();
    }

    @Test
    void aForcedReleaseSaysWhy() {
        client.acquire(WANTED);
        releasing.release("orders:42", " it hangs\n" + "x".repeat(300), new Operator("eve"));
        assertThat(audited()).hasSize(2).allSatisfy(event -> {
            assertThat(event.getPrincipal()).isEqualTo("eve");
            assertThat(event.getData())
                    .hasEntrySatisfying(
                            "because",
                            why -> assertThat(why)
                                    .asString()
                                    .startsWith("it hangs?xxx")
                                    .hasSize(200));
        });
    }

    @Test
    void aFreeLockCanNotBeTakenByForce() {
        assertThat(releasing.release("orders:42", SecurityContext.NONE)).isNull();
        assertThat(audited()).extracting(AuditEvent::getType).containsExactly("LOCK_FORCED_RELEASE_REQUESTED");
    }

    /** The release may have taken effect. */
    @Test
    void aForcedReleaseWhoseAnswerIsLostIsAuditedAllTheSame() {
        ReleasingLocksEndpoint unanswered = new ReleasingLocksEndpoint(monitorWithoutAnswers(), 2, published::add);
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> unanswered.release("orders:42", new Operator("eve\nLock 'x' was released")));
        assertThat(audited())
                .extracting(AuditEvent::getType)
                .containsExactly("LOCK_FORCED_RELEASE_REQUESTED", "LOCK_FORCED_RELEASE_UNCLEAR");
        assertThat(audited()).extracting(AuditEvent::getPrincipal).containsOnly("eve?Lock 'x' was released");
    }

    private static LockMonitor monitorWithoutAnswers() {
        return (LockMonitor) Proxy.newProxyInstance(
                LockMonitor.class.getClassLoader(), new Class<?>[] {LockMonitor.class}, (proxy, method, arguments) -> {
                    throw new LockUnavailableException(WANTED.id(), Outcome.UNKNOWN, "no reply", null);
                });
    }

    private List<AuditEvent> audited() {
        return published.stream()
                .map(AuditApplicationEvent.class::cast)
                .map(AuditApplicationEvent::getAuditEvent)
                .toList();
    }

    private record Operator(String name) implements SecurityContext {

        @Override
        public Principal getPrincipal() {
            return () -> name;
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }
    }
}
