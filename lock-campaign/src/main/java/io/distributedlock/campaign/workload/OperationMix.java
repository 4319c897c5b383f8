package io.distributedlock.campaign.workload;

import java.util.Random;

/** Chooses what a thread does next. */
@FunctionalInterface
public interface OperationMix {

    /**
     * @param contended how many keys, the first ones of the shared state, all threads use
     * @param ownKey the position of the key that is for this thread alone
     */
    Operation next(Random random, int contended, int ownKey);
}
