package io.distributedlock.benchmarks.peer;

import io.distributedlock.LockClient;
import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** This library, used as an application uses it. */
final class OwnClient implements PeerClient {

    private final LockClient client;
    private final UnaryOperator<LockRequest> request;

    private OwnClient(LockClient client, UnaryOperator<LockRequest> request) {
        this.client = client;
        this.request = request;
    }

    static PeerClient open(int port, UnaryOperator<LockClientBuilder> settings) {
        return open(port, settings, UnaryOperator.identity());
    }

    /** @param request what each request asks for besides */
    static PeerClient asking(int port, UnaryOperator<LockRequest> request) {
        return open(port, UnaryOperator.identity(), request);
    }

    private static PeerClient open(
            int port, UnaryOperator<LockClientBuilder> settings, UnaryOperator<LockRequest> request) {
        LockClientBuilder defaults = LockClient.builder(RedisLockStore.of(RedisURI.create("127.0.0.1", port)));
        return new OwnClient(settings.apply(defaults).build(), request);
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        LockHandle handle = client.tryAcquire(request.apply(LockRequest.of(key).withWaitTime(wait)))
                .orElse(null);
        return handle == null ? null : handle::release;
    }

    @Override
    public void close() {
        client.close();
    }
}
