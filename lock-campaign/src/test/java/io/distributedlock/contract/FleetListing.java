package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockHolder;
import io.distributedlock.LockMode;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import io.distributedlock.LockRequest;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowingConsumer;

/** Three clients of one store, each with connections of its own, and the list of all locks that each of them gets. */
final class FleetListing {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final String key = UUID.randomUUID().toString();
    private final LockRequest wanted = LockRequest.of("listed", key).withWaitTime(LONG);

    private final LockClient shop;
    private final LockClient billing;
    private final LockClient audit;

    private FleetListing(LockClient shop, LockClient billing, LockClient audit) {
        this.shop = shop;
        this.billing = billing;
        this.audit = audit;
    }

    static void isTheSameForEachClient(Supplier<LockStore> stores) {
        with(stores, FleetListing::showHolderAndWaiters);
    }

    static void hasEachWhoSharesALock(Supplier<LockStore> stores) {
        with(stores, FleetListing::showThoseWhoShare);
    }

    private static void with(Supplier<LockStore> stores, Consumer<FleetListing> scene) {
        try (LockClient shop = client("shop", stores.get());
                LockClient billing = client("billing", stores.get());
                LockClient audit = client("audit", stores.get())) {
            scene.accept(new FleetListing(shop, billing, audit));
        }
    }

    private static LockClient client(String application, LockStore store) {
        LockClient client = LockClient.builder(store)
                .identity(new ClientIdentity(application, null, "web-1", 7L, null))
                .build();
        client.connect(LONG);
        return client;
    }

    private void showHolderAndWaiters() {
        LockHandle lock = shop.acquire(wanted);
        List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
        for (LockClient next : List.of(billing, audit)) {
            waiting.add(next.acquireAsync(wanted));
            int queued = waiting.size();
            eachSees(listed -> assertThat(listed.waiters()).hasSize(queued));
        }
        eachSees(listed -> {
            assertThat(listed.mode()).isEqualTo(LockMode.EXCLUSIVE);
            assertThat(names(listed.holders())).containsExactly("shop");
            assertThat(listed.holders().get(0).age()).isLessThan(LONG);
            assertThat(listed.remaining()).isPositive();
            assertThat(listed.waiting()).isEqualTo(2);
            assertThat(names(listed.waiters())).containsExactly("billing", "audit");
        });
        lock.release();
        // a quorum serves waiters only mostly by arrival, so each is released as it is granted
        waiting.stream()
                .map(next -> next.thenCompose(LockHandle::releaseAsync))
                .toList()
                .forEach(CompletableFuture::join);
    }

    private void showThoseWhoShare() {
        List<LockHandle> shares = List.of(shop.acquire(wanted.shared()), billing.acquire(wanted.shared()));
        var writer = audit.acquireAsync(wanted);
        eachSees(listed -> {
            assertThat(listed.mode()).isEqualTo(LockMode.SHARED);
            assertThat(names(listed.holders())).containsExactlyInAnyOrder("shop", "billing");
            assertThat(names(listed.waiters())).containsExactly("audit");
        });
        shares.forEach(LockHandle::release);
        writer.join().release();
    }

    private void eachSees(ThrowingConsumer<LockReport.Listed> what) {
        for (LockClient any : List.of(shop, billing, audit)) {
            await().untilAsserted(() -> assertThat(all(any.monitor()))
                    .filteredOn(this::isWanted)
                    .singleElement()
                    .satisfies(what));
        }
    }

    private boolean isWanted(LockReport.Listed lock) {
        return lock.id().equals("listed:" + key);
    }

    private static List<LockReport.Listed> all(LockMonitor monitor) {
        List<LockReport.Listed> locks = new ArrayList<>();
        LockMonitor.Page page = null;
        do {
            page = monitor.list(page == null ? null : page.next(), LockListing.MAX_LOCKS);
            locks.addAll(page.locks());
        } while (page.next() != null);
        return locks;
    }

    private static List<String> names(List<LockHolder> holders) {
        return holders.stream()
                .map(LockHolder::identity)
                .map(who -> who == null ? "not known" : String.valueOf(who.application()))
                .toList();
    }
}
