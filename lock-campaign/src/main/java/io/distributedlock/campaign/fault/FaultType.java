package io.distributedlock.campaign.fault;

import java.util.Random;

/**
 * A kind of fault: injects itself, records itself, and returns when it has been taken back.
 *
 * @param name for the count of faults
 * @param weight how often it is chosen, relative to others
 */
public record FaultType(String name, int weight, Action action) {

    /** One injection. */
    @FunctionalInterface
    public interface Action {

        void inject(Random random);
    }
}
