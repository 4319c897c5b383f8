package io.distributedlock.redis.connection;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.TimeUnit;

/** Event loops that outlast their client, because timers of a half-open connection still need them. */
public final class SharedEventLoops extends DefaultEventLoopGroupProvider {

    public SharedEventLoops(int threads) {
        super(threads);
    }

    @Override
    public Promise<Boolean> release(EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
        return new DefaultPromise<Boolean>(ImmediateEventExecutor.INSTANCE).setSuccess(Boolean.TRUE);
    }
}
