package io.distributedlock.campaign.workload;

import java.time.Duration;
import java.util.Random;

/** What threads do in small campaigns. */
public final class OperationMixes {

    private static final Duration UNTIL_LOST = Duration.ofSeconds(5);
    private static final long PATIENCE = 1_000;

    private OperationMixes() {}

    /** Many short cycles on contended keys. */
    public static Operation quick(Random random, int contended, int ownKey) {
        return Operation.on(random.nextInt(contended)).waiting(500).holding(upTo(random, 5));
    }

    /** Many short cycles, most of them undisturbed by others. */
    public static Operation mostlyAlone(Random random, int contended, int ownKey) {
        int key = random.nextInt(5) == 0 ? random.nextInt(contended) : ownKey;
        return Operation.on(key).waiting(random.nextBoolean() ? 0 : 100).holding(upTo(random, 5));
    }

    /** Work that takes much of a short lease, while others wait. */
    public static Operation shortLeases(Random random, int contended, int ownKey) {
        Duration ttl = Duration.ofMillis(200);
        return Operation.on(random.nextInt(contended))
                .waiting(PATIENCE)
                .leased(ttl)
                .holding(ttl.dividedBy(4).plus(upTo(random, 100)));
    }

    /** Work that takes nearly all of a lease of 200 ms, of which 24 ms are margin. */
    public static Operation untilTheLastMoment(Random random, int contended, int ownKey) {
        return Operation.on(ownKey)
                .leased(Duration.ofMillis(200))
                .holding(Duration.ofMillis(165).plus(upTo(random, 11)));
    }

    /** Renewed locks, held for several leases. */
    public static Operation longWork(Random random, int contended, int ownKey) {
        return Operation.on(random.nextInt(contended)).waiting(PATIENCE).holding(Duration.ofMillis(1_500));
    }

    /** Work that ends only with the lease, while others wait. */
    public static OperationMix untilLost(Duration ttl) {
        return (random, contended, ownKey) -> Operation.on(random.nextInt(contended))
                .waiting(PATIENCE)
                .leased(ttl)
                .holding(UNTIL_LOST);
    }

    /** The same without waiters. */
    public static OperationMix aloneUntilLost(Duration ttl) {
        return (random, contended, ownKey) ->
                Operation.on(ownKey).waiting(PATIENCE).leased(ttl).holding(UNTIL_LOST);
    }

    /** Short cycles with a long explicit ttl. */
    public static Operation longTtl(Random random, int contended, int ownKey) {
        return Operation.on(ownKey).leased(Duration.ofHours(2)).holding(upTo(random, 5));
    }

    private static Duration upTo(Random random, int millis) {
        return Duration.ofNanos(random.nextInt(millis * 1_000_000));
    }
}
