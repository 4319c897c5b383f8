package io.distributedlock.spring.autoconfigure.properties;

import io.distributedlock.spring.LockConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How settings are checked, and how messages show them. */
final class PropertyChecks {

    private PropertyChecks() {}

    /** @throws LockConfigurationException unless it is valid */
    static void require(boolean valid, String problem, String advice) {
        if (!valid) {
            throw new LockConfigurationException(DistributedLockProperties.PREFIX + "." + problem, advice);
        }
    }

    static String shown(@Nullable Duration duration) {
        return duration == null
                ? ""
                : duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }

    /** Whether it can be a part of Redis keys without a change of their meaning. */
    static boolean isWord(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == '{' || c == '}') {
                return false;
            }
        }
        return !text.isBlank();
    }
}
