package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.benchmarks.contender.Locks;
import io.distributedlock.testkit.server.RedisServer;
import java.util.concurrent.Executor;

/**
 * Everything that one run of one case needs: a lock, a link that can die, and a second client with a link that
 * doesn't.
 */
final class RunSetup implements AutoCloseable {

    private final FaultCase faultCase;
    private final Library library;
    private final String key;
    private final Executor background;
    private final LockKeyProbe probe;
    private final BreakableLink link;
    private final Locks second;

    RunSetup(FaultCase faultCase, Library library, int run, RedisServer redis, Executor background) {
        this.faultCase = faultCase;
        this.library = library;
        this.key = library.name() + "-" + faultCase.name() + "-" + run;
        this.background = background;
        this.probe = new LockKeyProbe(redis);
        this.link = new BreakableLink(redis.port());
        this.second = open(redis.port());
    }

    /** A client that has taken and released a lock already, so that Redis knows the library's scripts. */
    Locks open(int port) {
        return open(library, faultCase, port, key);
    }

    static Locks open(Library library, FaultCase faultCase, int port, String key) {
        Locks locks = library.connect(port, faultCase.terms());
        String warmUp = "warm-up-" + key + "-" + port;
        Calls.acquireFree(locks, warmUp);
        Calls.release(locks, warmUp);
        return locks;
    }

    FaultCase faultCase() {
        return faultCase;
    }

    Library library() {
        return library;
    }

    /** The lock as the application names it. */
    String key() {
        return key;
    }

    String redisKey() {
        return second.redisKey(key);
    }

    Executor background() {
        return background;
    }

    LockKeyProbe probe() {
        return probe;
    }

    LockKeyProbe.Holder holder() {
        return probe.holderOf(redisKey());
    }

    BreakableLink link() {
        return link;
    }

    /** A client of the same library in another process, so to speak: it shares nothing with the first. */
    Locks second() {
        return second;
    }

    @Override
    public void close() {
        second.close();
        link.close();
    }
}
