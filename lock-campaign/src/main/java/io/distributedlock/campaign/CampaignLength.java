package io.distributedlock.campaign;

import java.time.Duration;

/** How long a campaign runs: the system property {@code distributedlock.campaign.seconds}. */
public final class CampaignLength {

    private static final Duration LONG = Duration.ofMinutes(4);
    private static final Duration LONG_FOR_KINDS = Duration.ofMinutes(1);
    private static final Duration SHORT_FOR_KINDS = Duration.ofSeconds(3);

    private CampaignLength() {}

    /** How long a campaign on one server runs. */
    public static Duration time() {
        return Duration.ofSeconds(Integer.getInteger("distributedlock.campaign.seconds", 4));
    }

    /** How long a campaign with locks of all kinds runs. */
    public static Duration timeForKinds() {
        return isLong() ? LONG_FOR_KINDS : SHORT_FOR_KINDS;
    }

    /** How long a campaign on several servers runs. */
    public static Duration timeForTopology() {
        return isLong() ? time().dividedBy(2) : time();
    }

    /** Whether this is the long form rather than the one of every build. */
    public static boolean isLong() {
        return time().compareTo(LONG) >= 0;
    }
}
