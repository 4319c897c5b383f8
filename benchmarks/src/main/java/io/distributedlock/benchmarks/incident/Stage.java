package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.benchmarks.contender.Locks;
import io.distributedlock.testkit.RedisServer;
import java.util.concurrent.Executor;

/**
 * Everything that one run of one scene needs: a lock, a line that can die, and a second client with a line that
 * doesn't.
 */
final class Stage implements AutoCloseable {

    private final Scene scene;
    private final Library library;
    private final String key;
    private final Executor background;
    private final Oracle oracle;
    private final Line line;
    private final Locks second;

    Stage(Scene scene, Library library, int run, RedisServer redis, Executor background) {
        this.scene = scene;
        this.library = library;
        this.key = library.name() + "-" + scene.name() + "-" + run;
        this.background = background;
        this.oracle = new Oracle(redis);
        this.line = new Line(redis.port());
        this.second = open(redis.port());
    }

    /** A client that has taken and released a lock already, so that Redis knows the library's scripts. */
    Locks open(int port) {
        return open(library, scene, port, key);
    }

    static Locks open(Library library, Scene scene, int port, String key) {
        Locks locks = library.connect(port, scene.terms());
        String warmUp = "warm-up-" + key + "-" + port;
        Calls.acquireFree(locks, warmUp);
        Calls.release(locks, warmUp);
        return locks;
    }

    Scene scene() {
        return scene;
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

    Oracle oracle() {
        return oracle;
    }

    Oracle.Holder holder() {
        return oracle.holderOf(redisKey());
    }

    Line line() {
        return line;
    }

    /** A client of the same library in another process, so to speak: it shares nothing with the first. */
    Locks second() {
        return second;
    }

    @Override
    public void close() {
        second.close();
        line.close();
    }
}
