package io.distributedlock.campaign.fault;

import io.distributedlock.campaign.process.Environment;
import java.time.Duration;
import java.util.Random;

/** The faults of a scenario, one round of them after the other until the run ends. */
@FunctionalInterface
public interface FaultScript {

    /** Nothing happens. */
    FaultScript NOTHING = (environment, random) -> environment.pacer().pause(Duration.ofSeconds(1));

    void inject(Environment environment, Random random);
}
