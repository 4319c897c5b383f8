package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.redis.RedisLockConnection;
import java.util.List;

/**
 * Connections of the lock store beside, or instead of, the one that is a bean. They start and stop with the application
 * context as well.
 */
public record AdditionalConnections(List<RedisLockConnection> all) {}
