package io.distributedlock.internal.store;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the beginning of an owner says: whose it is, and when it was made by that client's own clock.
 *
 * @param client what all owners of that client begin with
 * @param tick the time in fiftieths of a second; two of them can be compared if 497 days or less are between them
 */
public record OwnerOrigin(String client, int tick) {

    private static final int CLIENT_CHARS = 8;
    private static final int TIME_CHARS = 6;
    private static final int TICK_MILLIS = 20;
    private static final long TICK_NANOS = Duration.ofMillis(TICK_MILLIS).toNanos();
    /** A quorum adds the number of the round. */
    private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9_-]{27}(\\.\\d+)?");

    /** Empty if another kind of client has made it. */
    public static Optional<OwnerOrigin> of(String owner) {
        if (!OWNER.matcher(owner).matches()) {
            return Optional.empty();
        }
        String time = owner.substring(CLIENT_CHARS, CLIENT_CHARS + TIME_CHARS);
        int tick = ByteBuffer.wrap(Base64.getUrlDecoder().decode(time)).getInt();
        return Optional.of(new OwnerOrigin(owner.substring(0, CLIENT_CHARS), tick));
    }

    /** An instant of a client's clock. */
    static int tick(long nanos) {
        return (int) Math.floorDiv(nanos, TICK_NANOS);
    }

    /** From then until another instant of the same clock; below zero if that is earlier. */
    Duration until(int other) {
        return Duration.ofMillis((long) (other - tick) * TICK_MILLIS);
    }
}
