package io.distributedlock.simulation;

import io.distributedlock.simulation.server.ServerKind;
import java.util.Random;

/**
 * What stays the same during a run.
 *
 * @param queues whether waiters are queued in the server; else they poll
 * @param ttlMillis the lease of a lock without a ttl of its own
 * @param trouble how probable a late message is; zero if nothing fails
 * @param pauseMicros between two calls for a lock, on average
 */
record Setting(
        ServerKind server,
        boolean queues,
        int clients,
        int keys,
        int ttlMillis,
        boolean barging,
        boolean shares,
        double trouble,
        int pauseMicros) {

    /** Most locks are free when they are wanted, and most runs have faults. */
    static Setting drawn(Random dice) {
        int server = dice.nextInt(20);
        ServerKind kind = server < 9
                ? ServerKind.REDIS_7
                : server < 16 ? ServerKind.VALKEY_9 : server < 18 ? ServerKind.REDIS_8_4 : ServerKind.WITHOUT_SCRIPTS;
        boolean crowded = dice.nextInt(5) < 2;
        double[] troubles = {0, 0.001, 0.01, 0.03};
        return new Setting(
                kind,
                dice.nextInt(8) > 0,
                2 + dice.nextInt(3),
                crowded ? 3 : 200,
                dice.nextBoolean() ? 30_000 : 1_000,
                dice.nextBoolean(),
                kind.runsScripts() && crowded && dice.nextBoolean(),
                troubles[dice.nextInt(troubles.length)],
                crowded || dice.nextInt(8) == 0 ? 30_000 : 2_000);
    }

    /** Whether most calls find their lock taken. */
    boolean isCrowded() {
        return keys < 10;
    }

    boolean isCalm() {
        return trouble == 0;
    }
}
