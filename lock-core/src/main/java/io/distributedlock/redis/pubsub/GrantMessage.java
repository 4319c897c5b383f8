package io.distributedlock.redis.pubsub;

import io.distributedlock.redis.script.Sha1;
import io.distributedlock.spi.AcquireResult.Granted;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A message of the release script: a lock was granted to a claim of this process. Every user of the server may read and
 * write messages, so this one names neither lock nor owner, and only a script that knows the owner can sign it.
 *
 * @param number the claim's among those of this process
 * @param grantedAt by the server's clock, in microseconds
 * @param signature the SHA-1 of the three numbers and the owner
 */
public record GrantMessage(long number, long token, long grantedAt, String signature) {

    private static final int WORDS = 4;

    /** What the message says; null if no release script has written it. */
    public static @Nullable GrantMessage parse(String message) {
        String[] words = message.split(" ", WORDS);
        if (words.length != WORDS) {
            return null;
        }
        try {
            return new GrantMessage(
                    Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]);
        } catch (NumberFormatException foreign) {
            return null;
        }
    }

    public boolean isSignedFor(String owner) {
        return Sha1.sha1(number + " " + token + " " + grantedAt + " " + owner).equals(signature);
    }

    /**
     * What it promises, counted from when a try was sent that the server refused at {@code refusedAt} by its clock. The
     * grant was made no later than now, so a clock that was set forward in between lengthens the promise by no more
     * than the message is late.
     *
     * @param lease for how long the server grants the lock to this claim
     * @param sinceSent how long ago that try was sent, by this process's clock
     */
    public Granted since(long refusedAt, Duration lease, Duration sinceSent) {
        Duration byServer = Duration.ofNanos(Math.multiplyExact(grantedAt - refusedAt, 1_000L));
        Duration delay = byServer.compareTo(sinceSent) < 0 ? byServer : sinceSent;
        return new Granted(token, delay.plus(lease), true);
    }

    @Override
    public String toString() {
        return "GrantMessage[" + number + "]";
    }
}
