package io.distributedlock.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;

/** A store whose commands are still answered in time if the machine stands still for a few seconds. */
public final class PatientStore {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    private PatientStore() {}

    public static RedisLockStore of(String uri) {
        return new RedisLockStore(
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), COMMAND_TIMEOUT), "lock");
    }
}
