package io.distributedlock.campaign;

import io.distributedlock.campaign.Operation.Farewell;
import java.time.Duration;
import java.util.Random;

/** Everything that a lock client is asked to do in the large campaign. Most of it is quick, so that many cycles fit. */
final class CampaignMix implements Mix {

    static final Duration LONGEST_LEASE_OF_A_MORTAL = Duration.ofMillis(5_500);
    private static final Duration LONG_TTL = Duration.ofMinutes(10);

    private final boolean mortal;

    /** @param mortal whether the process may be killed: what it holds then stays for a whole ttl, so that has to be short */
    CampaignMix(boolean mortal) {
        this.mortal = mortal;
    }

    @Override
    public Operation next(Random random, int contended, int ownKey) {
        int place = random.nextInt(100);
        boolean fight = place < 25;
        Operation operation = Operation.on(fight ? random.nextInt(contended) : place < 80 ? ownKey : Operation.ONCE)
                .waiting(random.nextBoolean() ? 0 : 50 + random.nextInt(300))
                .by(approach(random), farewell(random));
        operation = leased(operation, random, fight);
        return random.nextInt(100) < 3 ? operation.extending(Duration.ofMillis(300 + random.nextInt(300))) : operation;
    }

    private Operation leased(Operation operation, Random random, boolean fight) {
        int kind = random.nextInt(1_000);
        if (kind < 3) {
            return operation.holding(Duration.ofMillis(1_300));
        } else if (kind < 10) {
            Duration ttl = Duration.ofMillis(100 + random.nextInt(150));
            return operation.leased(ttl).holding(ttl.plusMillis(50));
        } else if (kind < 200) {
            return operation
                    .leased(Duration.ofMillis(150 + random.nextInt(450)))
                    .holding(shortTime(random));
        } else if (kind < 320) {
            return operation
                    .leased(Duration.ofMillis(1_500 + random.nextInt(2_500)))
                    .holding(shortTime(random));
        } else if (kind < 450 && !(mortal && fight)) {
            return operation
                    .leased(mortal ? LONGEST_LEASE_OF_A_MORTAL : LONG_TTL)
                    .holding(shortTime(random));
        }
        return operation.holding(shortTime(random));
    }

    private static Duration shortTime(Random random) {
        int kind = random.nextInt(100);
        if (kind < 70) {
            return Duration.ZERO;
        }
        return kind < 97 ? Duration.ofNanos(random.nextInt(10_000_000)) : Duration.ofMillis(10 + random.nextInt(60));
    }

    private static Approach approach(Random random) {
        int kind = random.nextInt(100);
        if (kind < 80) {
            return Approach.CALL;
        } else if (kind < 85) {
            return Approach.INTERRUPTED_CALL;
        }
        return kind < 93 ? Approach.FUTURE : Approach.CANCELLED_FUTURE;
    }

    private static Farewell farewell(Random random) {
        int kind = random.nextInt(100);
        if (kind < 85) {
            return Farewell.RELEASE;
        } else if (kind < 91) {
            return Farewell.RELEASE_ASYNC;
        }
        return kind < 96 ? Farewell.RELEASE_ON_ANOTHER_THREAD : Farewell.RELEASE_WHILE_INTERRUPTED;
    }
}
