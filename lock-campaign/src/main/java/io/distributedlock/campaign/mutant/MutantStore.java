package io.distributedlock.campaign.mutant;

import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.ForwardingLockStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A store that breaks the protocol with commands of its own. */
class MutantStore extends ForwardingLockStore {

    /** Completes never. */
    static final CompletableFuture<Optional<Granted>> NO_NEWS = new CompletableFuture<>();

    static final ScheduledExecutorService TIMERS = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "campaign-mutants");
        thread.setDaemon(true);
        return thread;
    });

    final RawRedis raw;

    MutantStore(LockStore sound, String uri) {
        super(sound);
        this.raw = new RawRedis(uri);
    }

    @Override
    public void close() {
        raw.close();
        super.close();
    }
}
