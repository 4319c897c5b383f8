package io.distributedlock.campaign.workload;

import java.util.Random;

/**
 * All kinds of locks on the same few keys, so that every kind meets every other. What is held stays for seconds at most
 * if its process is killed.
 */
public final class AllKindsMix implements OperationMix {

    private final OperationMix plain = new CampaignMix(true);

    @Override
    public Operation next(Random random, int contended, int ownKey) {
        Operation operation = plain.next(random, contended, ownKey);
        int place = random.nextInt(100);
        if (place < 15) {
            return operation;
        }
        return operation.wanting(kind(place), place < 25 ? ownKey : random.nextInt(contended));
    }

    private static LockKind kind(int place) {
        if (place < 55) {
            return LockKind.SHARED;
        } else if (place < 70) {
            return LockKind.PAIR;
        } else if (place < 75) {
            return LockKind.SHARED_PAIR;
        }
        return place < 85 ? LockKind.ALONE : LockKind.ANY;
    }
}
