package io.distributedlock.campaign;

import java.util.Random;

/** Chooses what a thread does next. */
@FunctionalInterface
interface Mix {

    /**
     * @param contended how many keys, the first ones of the arena, are for everybody
     * @param ownKey the position of the key that is for this thread alone
     */
    Operation next(Random random, int contended, int ownKey);
}
