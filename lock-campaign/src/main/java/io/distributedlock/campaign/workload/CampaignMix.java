package io.distributedlock.campaign.workload;

import io.distributedlock.campaign.workload.Operation.ReleaseStyle;
import java.time.Duration;
import java.util.Random;

/** Everything that a lock client is asked to do in the large campaign. Most of it is quick, so that many cycles fit. */
public final class CampaignMix implements OperationMix {

    public static final Duration LONGEST_LEASE_OF_A_KILLABLE_CLIENT = Duration.ofMillis(5_500);
    private static final Duration LONG_TTL = Duration.ofMinutes(10);

    private final boolean killable;

    /**
     * @param killable whether the process may be killed: what it holds then stays for a whole ttl, so that has to be
     * short
     */
    CampaignMix(boolean killable) {
        this.killable = killable;
    }

    @Override
    public Operation next(Random random, int contended, int ownKey) {
        int place = random.nextInt(100);
        boolean contends = place < 25;
        Operation operation = Operation.on(contends ? random.nextInt(contended) : place < 80 ? ownKey : Operation.ONCE)
                .waiting(random.nextBoolean() ? 0 : 50 + random.nextInt(300))
                .by(acquireStyle(random), releaseStyle(random));
        operation = leased(operation, random, contends);
        return random.nextInt(100) < 3 ? operation.extending(Duration.ofMillis(300 + random.nextInt(300))) : operation;
    }

    private Operation leased(Operation operation, Random random, boolean contends) {
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
        } else if (kind < 450 && !(killable && contends)) {
            return operation
                    .leased(killable ? LONGEST_LEASE_OF_A_KILLABLE_CLIENT : LONG_TTL)
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

    private static AcquireStyle acquireStyle(Random random) {
        int kind = random.nextInt(100);
        if (kind < 80) {
            return AcquireStyle.CALL;
        } else if (kind < 85) {
            return AcquireStyle.INTERRUPTED_CALL;
        }
        return kind < 93 ? AcquireStyle.FUTURE : AcquireStyle.CANCELLED_FUTURE;
    }

    private static ReleaseStyle releaseStyle(Random random) {
        int kind = random.nextInt(100);
        if (kind < 85) {
            return ReleaseStyle.RELEASE;
        } else if (kind < 91) {
            return ReleaseStyle.RELEASE_ASYNC;
        }
        return kind < 96 ? ReleaseStyle.RELEASE_ON_ANOTHER_THREAD : ReleaseStyle.RELEASE_WHILE_INTERRUPTED;
    }
}
