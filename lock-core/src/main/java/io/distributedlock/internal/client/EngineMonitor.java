package io.distributedlock.internal.client;

import io.distributedlock.LockId;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import io.distributedlock.LockStatistics;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.internal.acquire.LockWaiter;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.policy.LockDefaults;
import io.distributedlock.internal.support.Await;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.NodeInspection;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the engine of one client from memory, and asks its store. */
final class EngineMonitor implements LockMonitor {

    private static final int ROUND_TRIPS_OF_PAGE = 3;

    private final Supplier<Engine> engine;
    private final LockDefaults defaults;

    EngineMonitor(Supplier<Engine> engine, LockDefaults defaults) {
        this.engine = engine;
        this.defaults = defaults;
    }

    @Override
    public LockStatistics statistics() {
        EngineCounters counters = engine.get().counters();
        return new LockStatistics(
                byName(engine.get().watchdog().held(), LockHold::id),
                byName(engine.get().running(), LockWaiter::id),
                engine.get().unresolved(),
                counters.renewals(),
                counters.failedRenewals(),
                counters.lag(),
                counters.resolved(),
                defaults.asked().byName(),
                engine.get().droppedEvents());
    }

    private static <T> Map<String, Integer> byName(Collection<T> all, Function<T, LockId> id) {
        return all.stream()
                .collect(Collectors.groupingBy(one -> id.apply(one).name(), Collectors.summingInt(one -> 1)));
    }

    @Override
    public List<LockReport.Held> held(int limit) {
        return engine.get().watchdog().held().stream()
                .sorted((one, other) -> other.held().compareTo(one.held()))
                .limit(limit)
                .map(LockReports::held)
                .toList();
    }

    @Override
    public List<LockReport.Awaited> awaited(int limit) {
        return engine.get().running().stream()
                .sorted((one, other) -> other.waited().compareTo(one.waited()))
                .limit(limit)
                .map(LockReports::awaited)
                .toList();
    }

    @Override
    public Optional<LockReport.Stored> find(String id) {
        LockId lock = LockId.parse(id);
        LockInspection inspection = inspection();
        return ask(lock, () -> inspection.find(lock.encoded()))
                .map(stored -> LockReports.stored(lock.encoded(), stored, isHere(stored)));
    }

    @Override
    public Page list(@Nullable String cursor, int limit) {
        if (!(engine.get().store() instanceof LockListing listing)) {
            throw new UnsupportedOperationException("This lock store can't list its locks: it is no LockListing");
        }
        LockId list = LockId.of("distributed-lock", "list");
        int size = Math.max(1, Math.min(limit, LockListing.MAX_LOCKS));
        FleetPage page = new FleetPage(
                engine.get().refusals().roster(), engine.get().watchdog().holds());
        Duration limitOfPage = defaults.lease().attemptTimeout().multipliedBy(ROUND_TRIPS_OF_PAGE);
        return ask(list, limitOfPage, () -> listing.list(cursor, size).thenCompose(page::named));
    }

    @Override
    public List<LockReport.Incident> history(String id) {
        LockId lock = LockId.parse(id);
        return ask(lock, () -> engine.get().incidents().of(lock));
    }

    @Override
    public Optional<String> storeKey(String id) {
        String encoded = LockId.parse(id).encoded();
        return inspected().flatMap(inspection -> inspection.storeKey(encoded));
    }

    @Override
    public Optional<LockReport.Stored> forceRelease(String id) {
        LockId lock = LockId.parse(id);
        String encoded = lock.encoded();
        LockInspection inspection = inspection();
        Optional<StoredLock> found = ask(lock, () -> inspection.find(encoded));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        StoredLock stored = found.get();
        LockReport.Stored report = LockReports.stored(encoded, stored, isHere(stored));
        long taken = stored.owners().stream()
                .filter(engine.get().watchdog()::loseForced)
                .count();
        LeaseTerms terms = defaults.lease();
        Claim closing = new Claim(encoded, engine.get().closingOwner(), stored.mode());
        for (String owner : stored.owners()) {
            Claim claim = new Claim(encoded, owner, stored.mode());
            boolean held = terms.stopMargin().isZero()
                    ? ask(lock, () -> inspection.forceRelease(claim)).held()
                    : ask(lock, () -> inspection.replace(claim, closing.owner(), terms.closing()));
            taken += held ? 1 : 0;
        }
        if (!terms.stopMargin().isZero()) {
            engine.get().time().after(terms.stopMargin(), () -> inspection.forceRelease(closing));
        }
        if (taken == 0) {
            return Optional.empty();
        }
        engine.get().incidents().noteForced(lock);
        return Optional.of(report);
    }

    private boolean isHere(StoredLock stored) {
        return engine.get().watchdog().holds().stream()
                .anyMatch(hold ->
                        stored.owners().contains(hold.heldLease().claim().owner()));
    }

    @Override
    public LockMonitor.Health health() {
        LockId probe = LockId.of("distributed-lock", "health");
        long askedAt = engine.get().time().now();
        NodeInspection.@Nullable NodeHealth nodes;
        try {
            nodes = ask(probe, () -> answering(probe)).orElse(null);
        } catch (LockUnavailableException silent) {
            return new LockMonitor.Health(silent.getMessage(), null, null, store(), statistics());
        }
        Duration roundTrip = engine.get().time().since(askedAt);
        String problem = nodes == null || nodes.areEnough() ? problem() : shortage(nodes);
        return new LockMonitor.Health(problem, roundTrip, nodes, store(), statistics());
    }

    private @Nullable String problem() {
        return inspected().flatMap(LockInspection::problem).orElseGet(this::lateness);
    }

    @Override
    public Map<String, String> store() {
        return inspected().map(LockInspection::description).orElse(Map.of());
    }

    private Optional<LockInspection> inspected() {
        return engine.get().store() instanceof LockInspection inspection ? Optional.of(inspection) : Optional.empty();
    }

    private @Nullable String lateness() {
        Duration bound = defaults.lease().ttl().dividedBy(6);
        Duration lag = engine.get().watchdog().overdue();
        return lag.compareTo(bound) <= 0
                ? null
                : ("A renewal is %d ms late, but the ttl of %d ms allows for %d ms. Look for a process that is paused"
                                + " or starved")
                        .formatted(lag.toMillis(), defaults.lease().ttl().toMillis(), bound.toMillis());
    }

    private static String shortage(NodeInspection.NodeHealth nodes) {
        return "Locks need %d of %d nodes, but %d answer".formatted(nodes.needed(), nodes.total(), nodes.answering());
    }

    private CompletionStage<Optional<NodeInspection.NodeHealth>> answering(LockId probe) {
        LockStore store = engine.get().store();
        if (store instanceof NodeInspection inspection) {
            return inspection.nodes().thenApply(Optional::of);
        }
        return store instanceof LockInspection inspection
                ? inspection.find(probe.encoded()).thenApply(found -> Optional.empty())
                : store.ready().thenApply(open -> Optional.empty());
    }

    private LockInspection inspection() {
        if (engine.get().store() instanceof LockInspection inspection) {
            return inspection;
        }
        throw new UnsupportedOperationException("This lock store can't tell who holds a lock: it is no LockInspection");
    }

    /** Asks when the store can be reached: this may be the first that is wanted of it. */
    private <T> T ask(LockId lock, Supplier<CompletionStage<T>> question) {
        return ask(lock, defaults.lease().attemptTimeout(), question);
    }

    private <T> T ask(LockId lock, Duration limit, Supplier<CompletionStage<T>> question) {
        CompletableFuture<?> ready = engine.get().ready();
        if (!ready.isDone()) {
            answer(lock, defaults.lease().connectTimeout(), () -> ready.thenApply(open -> Boolean.TRUE));
        }
        return answer(lock, limit, question);
    }

    private <T> T answer(LockId lock, Duration limit, Supplier<CompletionStage<T>> question) {
        CompletableFuture<T> caller = new CompletableFuture<>();
        engine.get()
                .calls()
                .within(
                        limit,
                        question,
                        (answer, failure) -> {
                            if (failure == null) {
                                caller.complete(answer);
                            } else {
                                caller.completeExceptionally(ExceptionMessages.noAnswer(lock, failure));
                            }
                        },
                        (late, failure) -> {});
        return Await.uninterruptibly(caller);
    }
}
