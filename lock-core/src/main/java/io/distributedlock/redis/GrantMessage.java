package io.distributedlock.redis;

import io.distributedlock.spi.AcquireResult.Granted;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A message of the release script: a lock was given to a claim of this process.
 *
 * @param grantedAt by the server's clock, in microseconds
 */
record GrantMessage(long token, long grantedAt, Duration lease, String lockKey, String owner) {

    private static final int WORDS = 5;

    /** What the message says; null if no release script has written it. */
    static @Nullable GrantMessage parse(String message) {
        String[] words = message.split(" ", WORDS);
        if (words.length != WORDS) {
            return null;
        }
        try {
            Duration lease = Duration.ofMillis(Long.parseLong(words[2]));
            return new GrantMessage(Long.parseLong(words[0]), Long.parseLong(words[1]), lease, words[3], words[4]);
        } catch (NumberFormatException foreign) {
            return null;
        }
    }

    /**
     * What it promises, counted from when a try was sent that the server refused at {@code refusedAt} by its clock. The grant was made no later
     * than now, so a clock that was set forward in between does not lengthen the promise.
     *
     * @param sinceSent how long ago that try was sent, by this process's clock
     */
    Granted since(long refusedAt, Duration sinceSent) {
        Duration byServer = Duration.ofNanos(Math.multiplyExact(grantedAt - refusedAt, 1_000L));
        Duration delay = byServer.compareTo(sinceSent) < 0 ? byServer : sinceSent;
        return new Granted(token, delay.plus(lease), true);
    }

    @Override
    public String toString() {
        return "DirectGrant[" + lockKey + "]";
    }
}
