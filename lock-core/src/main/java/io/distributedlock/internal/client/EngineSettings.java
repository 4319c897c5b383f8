package io.distributedlock.internal.client;

import io.distributedlock.ClientIdentity;
import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.acquire.LocalQueueSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What differs from one engine to the next.
 *
 * @param longHold after which time a holder is reported
 * @param queueing how callers of this process wait for each other
 * @param releases what a blocking release waits for
 * @param identity what the client says about itself; null if nothing
 */
record EngineSettings(
        Duration longHold,
        LocalQueueSettings queueing,
        ReleaseMode releases,
        @Nullable ClientIdentity identity) {}
