package io.distributedlock.simulation;

import io.distributedlock.LockHandle;
import io.distributedlock.LockId;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.simulation.Step.Call;
import io.distributedlock.simulation.Step.Disturbance;
import io.distributedlock.simulation.Step.Kind;
import io.distributedlock.simulation.clock.Chance;
import io.distributedlock.simulation.clock.Timeline;
import io.distributedlock.simulation.network.ServerHost;
import io.distributedlock.testkit.specification.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One run: what a plan wants, by clients with the real engine and the real Redis store. */
final class Simulation {

    private static final Duration BEGIN = Duration.ofMillis(200);
    private static final Duration END = Duration.ofSeconds(120);
    private static final Duration MIN_HOLD = Duration.ofSeconds(1);
    private static final long ROUNDING = Duration.ofMillis(10).toNanos();
    private static final int TASKS_BETWEEN_CHECKS = 32;
    /** More than any run needs: a client that never rests is a defect, too. */
    private static final long MOST_TASKS = 3_000_000;

    /** Beside the wait time: two command timeouts, the time to connect, and some room. */
    private static final long LONGEST_CALL = Duration.ofMillis(5_000).toNanos();

    private final Map<Long, Open> calls = new LinkedHashMap<>();
    private final Map<String, Map<Client, Integer>> callsByLock = new HashMap<>();
    private final List<Client> clients = new ArrayList<>();
    private final Plan plan;
    private final Timeline timeline = new Timeline();
    private final ServerHost host;
    private final Promises promises;
    private final Disturbances disturbances;
    private final Refusals refusals;
    private final RunHistory history;
    private long begun;
    private long cycles;
    private long digest;

    /** A call that waits. */
    private record Open(Client client, String id, long endsAt, long pausedBefore) {}

    Simulation(Plan plan) {
        Chance.seed(plan.seed());
        this.plan = plan;
        Random dice = new Random(plan.seed());
        Setting setting = plan.setting();
        this.host = new ServerHost(timeline, dice, setting.server());
        this.promises = new Promises(timeline, host, setting.isCalm());
        this.refusals = new Refusals(timeline, promises);
        this.history = new RunHistory(timeline, plan.isReplayed());
        host.redis().keyspace().onWrite(key -> {
            if (StoredLocks.isLock(key)) {
                String id = StoredLocks.id(key);
                promises.written(id);
                refusals.written(id);
                String owner = promises.stored().owner(id);
                if (owner != null) {
                    history.written(id, owner);
                }
            }
        });
        for (int each = 0; each < setting.clients(); each++) {
            Client client = new Client(timeline, dice, host, setting, each, plan.seed() * 31);
            client.link().whenRequestIsLate(arrival -> history.late(client.name(), arrival));
            clients.add(client);
        }
        this.disturbances = new Disturbances(host, clients, promises, history);
    }

    /** Runs to the end, or to the first broken promise. */
    Outcome run() {
        timeline.advance(BEGIN);
        long begin = timeline.now();
        long last = begin;
        for (Step step : plan.steps()) {
            last = begin + step.at() * 1_000;
            timeline.at(last, () -> perform(step));
        }
        goOnUntil(last);
        disturbances.end();
        goOnUntil(last + END.toNanos());
        if (promises.broken().isEmpty()) {
            checkEnd();
        }
        clients.forEach(Client::stop);
        Conformance conformance =
                plan.isReplayed() && promises.broken().isEmpty() ? history.conformance() : Conformance.NONE;
        conformance.rejections().forEach(each -> promises.broken(each.toString()));
        return new Outcome(
                plan.seed(),
                cycles,
                disturbances.count(),
                host.redis().scriptCalls(),
                digest * 31 + timeline.planned(),
                conformance,
                List.copyOf(promises.broken()));
    }

    private void goOnUntil(long instant) {
        for (long tasks = 1; promises.broken().isEmpty() && timeline.step(instant); tasks++) {
            if (tasks % TASKS_BETWEEN_CHECKS == 0) {
                check();
            }
            if (timeline.planned() > MOST_TASKS) {
                promises.broken("the clients never rest");
            }
        }
    }

    private void perform(Step step) {
        if (step instanceof Call call) {
            Client client = clients.get(call.client());
            client.process().run(() -> acquire(client, call));
        } else if (step instanceof Disturbance disturbance) {
            disturbances.begin(disturbance);
            refusals.dataReplaced();
            if (clients.get(disturbance.client()).process().isEnded()) {
                calls.values().removeIf(open -> open.client().process().isEnded());
                callsByLock
                        .values()
                        .forEach(each -> each.keySet()
                                .removeIf(client -> client.process().isEnded()));
            }
        }
    }

    private void acquire(Client client, Call wanted) {
        String key = "k" + wanted.key();
        String id = LockId.of("n", key).encoded();
        LockRequest request =
                request(wanted, LockRequest.of("n", key).withWaitTime(Duration.ofMillis(wanted.waitMillis())));
        long since = timeline.now();
        Refusals.Watched watched = refusals.watch(client, id);
        RunHistory.CallRecord record =
                history.begin(client.name(), id, wanted.waitMillis(), wanted.kind() == Kind.SHARED);
        callsByLock.computeIfAbsent(id, fresh -> new HashMap<>()).merge(client, 1, Integer::sum);
        CompletableFuture<LockHandle> call = client.locks().acquireAsync(request);
        long number = ++begun;
        calls.put(
                number, new Open(client, id, since + wanted.waitMillis() * 1_000_000L + LONGEST_CALL, client.paused()));
        if (wanted.cancelledAfterMillis() >= 0) {
            client.process().after(Duration.ofMillis(wanted.cancelledAfterMillis()), () -> call.cancel(false));
        }
        call.whenComplete((lock, failure) -> {
            calls.remove(number);
            callsByLock.getOrDefault(id, Map.of()).computeIfPresent(client, (each, count) -> count - 1);
            digest = digest * 31 + timeline.now() + (lock == null ? 1 : 2);
            refusals.ended(watched, lock != null, failure instanceof LockNotAcquiredException refusal ? refusal : null);
            if (lock != null) {
                hold(client, (SingleLockHandle) lock, wanted, since, record);
            } else {
                record.failed(failure);
            }
        });
    }

    private static LockRequest request(Call wanted, LockRequest plain) {
        int vary = wanted.workMicros() % 3;
        return switch (wanted.kind()) {
            case PLAIN -> plain;
            case SHORT_TTL -> plain.withTtl(Duration.ofSeconds(1 + vary));
            case LONG_TTL -> plain.withTtl(Duration.ofSeconds(20));
            case MIN_HOLD -> plain.withMinHold(MIN_HOLD);
            case MAX_HOLD -> plain.withMaxHold(Duration.ofMillis(500 + 900L * vary));
            case FENCED -> plain.withFencing();
            case SHARED -> plain.shared();
        };
    }

    private void hold(Client client, SingleLockHandle lock, Call wanted, long asked, RunHistory.CallRecord record) {
        cycles++;
        String owner = lock.hold().heldLease().claim().owner();
        long ttl = lock.hold().heldLease().lease().ttl().toNanos();
        // When the server began a share is not known: its reply may be late.
        long since = lock.isShared() ? asked : promises.firstGranted(owner);
        Hold hold = new Hold(client, lock, ttl, asked, since);
        promises.granted(hold, wanted.kind() == Kind.FENCED);
        boolean grows = wanted.kind() == Kind.FENCED && !promises.tokensMayRepeat();
        record.granted(grows ? lock.hold().fencingToken() : 0, owner);
        lock.lost().thenAccept(reason -> record.lost(reason.name()));
        long keptUntil =
                wanted.kind() == Kind.MIN_HOLD ? timeline.now() + MIN_HOLD.toNanos() - ROUNDING : Long.MIN_VALUE;
        if (wanted.extendedAfterMillis() >= 0) {
            client.process()
                    .after(
                            Duration.ofMillis(wanted.extendedAfterMillis()),
                            () -> lock.extendAsync(Duration.ofSeconds(1 + wanted.workMicros() % 5)));
        }
        client.process()
                .after(Duration.ofNanos(wanted.workMicros() * 1_000L), () -> release(hold, wanted, keptUntil, record));
    }

    private void release(Hold hold, Call wanted, long keptUntil, RunHistory.CallRecord record) {
        boolean lasts = switch (wanted.kind()) {
            case PLAIN, FENCED, SHARED, MIN_HOLD -> true;
            default -> false;
        };
        promises.releases(hold, lasts);
        SingleLockHandle lock = hold.handle();
        boolean held = lock.isHeld();
        boolean agreed = held && promises.stored().has(hold.id(), hold.owner());
        record.releaseBegins();
        lock.releaseAsync().whenComplete((nothing, failure) -> {
            if (agreed && failure == null && timeline.now() < keptUntil) {
                promises.kept(hold, keptUntil);
            }
            if (failure instanceof LockLostException loss) {
                record.releaseReportedLoss(loss.reason().name());
            } else {
                record.released();
            }
            lost(hold, failure, agreed);
        });
    }

    private void lost(Hold hold, @Nullable Throwable failure, boolean agreed) {
        digest = digest * 31 + timeline.now();
        if (failure instanceof LockLostException loss) {
            promises.lost(hold, loss, agreed);
        }
    }

    private void check() {
        promises.check(clients, callsByLock);
        for (Open call : calls.values()) {
            long paused = call.client().paused() - call.pausedBefore();
            if (timeline.now() - paused > call.endsAt() && !call.client().isStill()) {
                promises.broken("a call for " + call.id() + " does not end");
            }
        }
    }

    /** Long after the last call, nothing is left. */
    private void checkEnd() {
        for (Client client : clients) {
            if (client.process().isEnded()) {
                continue;
            }
            if (!client.locks().held().isEmpty()
                    || client.locks().unresolved() != 0
                    || client.locks().waiting() != 0) {
                promises.broken("a client still has " + client.locks().held() + ", "
                        + client.locks().unresolved() + " unresolved, "
                        + client.locks().waiting() + " waiting");
            }
        }
        if (!calls.isEmpty()) {
            promises.broken(calls.size() + " calls never ended");
        }
        if (!promises.stored().keys().isEmpty()) {
            promises.broken("the server keeps " + promises.stored().keys());
        }
    }
}
