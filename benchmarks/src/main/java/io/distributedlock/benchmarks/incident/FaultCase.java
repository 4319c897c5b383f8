package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Terms;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;

/** One way in which a caller and Redis lose sight of each other. */
enum FaultCase {
    ACQUIRE_REPLY_LOST("1 acquire, reply lost", Direction.REPLIES, Duration.ofMillis(2_500), Cut.RST),
    ACQUIRE_CLOSED("2 acquire, closed before the reply", Direction.REPLIES, Duration.ofMillis(300), Cut.FIN),
    RELEASE_REPLY_LOST("3a release, reply lost", Direction.REPLIES, Duration.ofMillis(1_200), Cut.RST),
    RELEASE_REQUEST_LOST("3b release, request lost", Direction.REQUESTS, Duration.ofMillis(1_200), Cut.RST),
    CLIENT_KILLED("4 acquire, client killed", Direction.REPLIES, Duration.ZERO, Cut.RST);

    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    static final Duration TTL = Duration.ofHours(2);
    static final Duration LEASE = Duration.ofSeconds(3);

    private final String title;
    private final Direction lost;
    private final Duration outage;
    private final Cut cut;

    FaultCase(String title, Direction lost, Duration outage, Cut cut) {
        this.title = title;
        this.lost = lost;
        this.outage = outage;
        this.cut = cut;
    }

    String title() {
        return title;
    }

    /** What the link keeps of the chosen command: its request, so that Redis never sees it, or only its reply. */
    Direction lost() {
        return lost;
    }

    /** How long the link is dead. */
    Duration outage() {
        return outage;
    }

    /** How the dead connections end. */
    Cut cut() {
        return cut;
    }

    boolean isRelease() {
        return this == RELEASE_REPLY_LOST || this == RELEASE_REQUEST_LOST;
    }

    Terms terms() {
        return isRelease() ? Terms.renewed(COMMAND_TIMEOUT, LEASE) : Terms.fixed(COMMAND_TIMEOUT, TTL);
    }
}
