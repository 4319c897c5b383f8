package io.distributedlock.testkit.process;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets how tests wait for a condition, once for all modules: Awaitility looks after 100 ms and then every 20 ms, so
 * that a test ends soon after its condition holds, and gives up after a minute, which only a failure reaches.
 */
public final class WaitDefaults implements LauncherSessionListener {

    private static final Duration DELAY = Duration.ofMillis(100);
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(DELAY);
        Awaitility.setDefaultPollInterval(INTERVAL);
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
