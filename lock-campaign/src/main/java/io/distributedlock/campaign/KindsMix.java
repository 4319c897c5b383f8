package io.distributedlock.campaign;

import java.util.Random;

/** All kinds of locks on the same few keys, so that every kind meets every other. What is held stays for seconds at most if its process is killed. */
final class KindsMix implements Mix {

    private final Mix plain = new CampaignMix(true);

    @Override
    public Operation next(Random random, int contended, int ownKey) {
        Operation operation = plain.next(random, contended, ownKey);
        int place = random.nextInt(100);
        if (place < 15) {
            return operation;
        }
        return operation.wanting(kind(place), place < 25 ? ownKey : random.nextInt(contended));
    }

    private static Kind kind(int place) {
        if (place < 55) {
            return Kind.SHARED;
        } else if (place < 70) {
            return Kind.PAIR;
        } else if (place < 75) {
            return Kind.SHARED_PAIR;
        }
        return place < 85 ? Kind.ALONE : Kind.ANY;
    }
}
