package io.distributedlock;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A scripted store that knows who holds one lock, and its clients. */
record FindableStore(ScriptedStore script, CompletableFuture<Optional<StoredLock>> answer, Map<String, Entry> clients)
        implements LockStore, LockInspection, ClientRoster {

    FindableStore(ScriptedStore script, CompletableFuture<Optional<StoredLock>> answer) {
        this(script, answer, new ConcurrentHashMap<>());
    }

    @Override
    public Optional<ClientRoster> roster() {
        return Optional.of(this);
    }

    @Override
    public CompletionStage<?> publish(String client, String line, Duration life) {
        clients.put(client, new Entry(line, life));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> withdraw(String client) {
        clients.remove(client);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Optional<Entry>> look(String client) {
        return CompletableFuture.completedFuture(Optional.ofNullable(clients.get(client)));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> find(String id) {
        return answer;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return script.acquire(claim, ttl, patience);
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return script.extend(claim, token, ttl);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return script.release(claim);
    }

    @Override
    public CompletionStage<Release> forceRelease(Claim claim) {
        return script.release(claim);
    }

    @Override
    public void onForceReleased(Consumer<Predicate<String>> hook) {}

    @Override
    public void close() {
        script.close();
    }
}
