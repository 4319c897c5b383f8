package io.distributedlock.redis;

import io.distributedlock.LockMode;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the reply to the question who holds a lock. */
final class RedisInspection {

    private RedisInspection() {}

    static Optional<StoredLock> lock(@Nullable Object reply) {
        if (reply instanceof List<?> parts) {
            if (parts.isEmpty()) {
                return Optional.empty();
            }
            if (parts.size() >= 3
                    && parts.get(0) instanceof String owner
                    && parts.get(1) instanceof Long millis
                    && parts.get(2) instanceof Long waiting) {
                List<String> sharing =
                        parts.stream().skip(3).map(String::valueOf).toList();
                return Optional.of(new StoredLock(
                        sharing.isEmpty() ? LockMode.EXCLUSIVE : LockMode.SHARED,
                        sharing.isEmpty() ? List.of(owner) : sharing,
                        millis < 0 ? null : Duration.ofMillis(millis),
                        waiting < 0 ? null : waiting.intValue()));
            }
        }
        throw StoreException.unknown(
                "Redis gave a reply that no script of ours gives; a proxy may have changed it", null);
    }
}
