package io.distributedlock.campaign;

import java.time.Duration;
import java.util.Random;

/** The faults of a scenario, one round of them after the other until the run ends. */
@FunctionalInterface
interface Script {

    /** Nothing happens. */
    Script NOTHING = (stage, random) -> stage.pacer().pause(Duration.ofSeconds(1));

    void play(Stage stage, Random random);
}
