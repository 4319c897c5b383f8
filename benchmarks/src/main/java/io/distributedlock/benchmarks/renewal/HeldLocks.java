package io.distributedlock.benchmarks.renewal;

import io.distributedlock.benchmarks.contender.Library;
import java.time.Duration;

/**
 * Locks of one library, all held and renewed by one client. Keeps the object by which an application would release
 * each.
 */
interface HeldLocks extends AutoCloseable {

    /** How long each renewal lasts; all three renew after a third of it. */
    Duration LEASE = Duration.ofSeconds(9);

    /** How long the client waits for the reply to one command. */
    Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    static HeldLocks of(Library library, int port) {
        return switch (library) {
            case DISTRIBUTED_LOCK -> new OwnHeldLocks(port);
            case REDISSON -> new RedissonHeldLocks(port);
            case SPRING_INTEGRATION -> new RegistryHeldLocks(port);
            default -> throw new IllegalArgumentException(library.title() + " starts a thread for each renewal");
        };
    }

    /**
     * Takes so many free locks.
     *
     * @throws IllegalStateException if one of them is not granted
     */
    void take(String name, int count);

    /** Releases all that are held. */
    void release();

    @Override
    void close();
}
