package io.distributedlock.internal.client;

import io.distributedlock.LockHolder;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.store.OwnerOrigin;
import io.distributedlock.internal.store.RosterLookup;
import io.distributedlock.spi.LockListing.ListedLock;
import io.distributedlock.spi.LockListing.Page;
import io.distributedlock.spi.LockListing.WaitingClaim;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A page of all locks for people: owners become holders by name. Each client of the page is looked up once. */
final class FleetPage {

    /** Further ones of a page are distinguished, but have no name. */
    private static final int MAX_CLIENTS = 200;

    private final RosterLookup roster;
    private final Map<String, LockHold> here = new HashMap<>();

    /** @param holds those of this client */
    FleetPage(RosterLookup roster, Collection<LockHold> holds) {
        this.roster = roster;
        holds.forEach(hold -> here.put(hold.heldLease().claim().owner(), hold));
    }

    CompletionStage<LockMonitor.Page> named(Page page) {
        Map<String, CompletableFuture<Optional<LockHolder>>> known = new HashMap<>();
        Set<String> clients = new HashSet<>();
        for (String owner : owners(page)) {
            OwnerOrigin origin = OwnerOrigin.of(owner).orElse(null);
            if (origin != null && (clients.contains(origin.client()) || clients.size() < MAX_CLIENTS)) {
                clients.add(origin.client());
                known.put(owner, roster.holder(owner));
            }
        }
        return CompletableFuture.allOf(known.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> new LockMonitor.Page(
                        page.locks().stream().map(lock -> listed(lock, known)).toList(), page.next(), page.source()));
    }

    private static Set<String> owners(Page page) {
        Set<String> owners = new LinkedHashSet<>();
        for (ListedLock lock : page.locks()) {
            owners.addAll(lock.lock().owners());
            lock.waiters().forEach(waiter -> owners.add(waiter.owner()));
        }
        return owners;
    }

    private LockReport.Listed listed(ListedLock lock, Map<String, CompletableFuture<Optional<LockHolder>>> known) {
        List<String> owners = lock.lock().owners();
        return new LockReport.Listed(
                lock.id(),
                lock.lock().mode(),
                LockReports.hash(owners.get(0)),
                owners.stream().map(owner -> holder(owner, known)).toList(),
                owners.size(),
                lock.lock().remaining(),
                owners.stream().anyMatch(here::containsKey),
                lock.lock().waiting(),
                lock.waiters().stream().map(waiter -> waiter(waiter, known)).toList());
    }

    private LockHolder holder(String owner, Map<String, CompletableFuture<Optional<LockHolder>>> known) {
        LockHolder found = found(owner, known);
        LockHold own = here.get(owner);
        if (own == null) {
            return found;
        }
        Thread thread = own.holder();
        String name = thread == null ? null : thread.getName();
        return new LockHolder(found.client(), found.identity(), name, legible(own.held()), null);
    }

    private static LockHolder waiter(WaitingClaim waiter, Map<String, CompletableFuture<Optional<LockHolder>>> known) {
        LockHolder found = found(waiter.owner(), known);
        return new LockHolder(found.client(), found.identity(), null, legible(waiter.waited()), found.silence());
    }

    private static LockHolder found(String owner, Map<String, CompletableFuture<Optional<LockHolder>>> known) {
        CompletableFuture<Optional<LockHolder>> asked = known.get(owner);
        Optional<LockHolder> answer = asked == null ? Optional.empty() : asked.getNow(Optional.empty());
        return answer.map(FleetPage::legible)
                .orElseGet(() -> new LockHolder(
                        OwnerOrigin.of(owner).map(OwnerOrigin::client).orElseGet(() -> LockReports.hash(owner)),
                        null,
                        null,
                        null,
                        null));
    }

    private static LockHolder legible(LockHolder exact) {
        return new LockHolder(
                exact.client(), exact.identity(), exact.thread(), legible(exact.age()), legible(exact.silence()));
    }

    private static @Nullable Duration legible(@Nullable Duration exact) {
        return exact == null ? null : Duration.ofMillis(exact.toMillis());
    }
}
