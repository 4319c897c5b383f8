package io.distributedlock.campaign;

import java.time.Duration;

/** How long the campaigns of this build may take: the system property {@code distributedlock.campaign.seconds}. */
final class Budget {

    private static final Duration LONG = Duration.ofMinutes(4);
    private static final Duration LONG_FOR_KINDS = Duration.ofMinutes(1);

    private Budget() {}

    static Duration time() {
        return Duration.ofSeconds(Integer.getInteger("distributedlock.campaign.seconds", 20));
    }

    /** How long a campaign with locks of all kinds may take. */
    static Duration timeForKinds() {
        return isLong() ? LONG_FOR_KINDS : Duration.ofSeconds(3);
    }

    /** Whether this is the thorough form rather than the one of every build. */
    static boolean isLong() {
        return time().compareTo(LONG) >= 0;
    }
}
