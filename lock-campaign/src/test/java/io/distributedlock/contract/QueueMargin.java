package io.distributedlock.contract;

import java.time.Duration;

/** How much longer than its patience a claim may be served. */
final class QueueMargin {

    /** A claim's patience counts from when it was made, but Redis learns of it later. */
    static final Duration OF_REDIS = Duration.ofSeconds(1);

    private QueueMargin() {}
}
