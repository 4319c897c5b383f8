package io.distributedlock.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Leads the driver to another server than the one that it looks for, while there is reason to; otherwise where it wants to go. */
final class Detour {

    private final Runnable turned;
    private volatile @Nullable Turn turn;

    /** @param turned called when there is another way, so that nobody goes on waiting at the end of the last one */
    Detour(Runnable turned) {
        this.turned = turned;
    }

    /** From now on whoever looks for the one gets to the other. */
    void lead(RedisURI from, RedisURI to) {
        turn = new Turn(from, to);
        turned.run();
    }

    void end() {
        turn = null;
    }

    SocketAddressResolver before(SocketAddressResolver usual) {
        return new SocketAddressResolver() {
            @Override
            public SocketAddress resolve(RedisURI wanted) {
                Turn present = turn;
                return usual.resolve(present != null && isSame(present.from(), wanted) ? present.to() : wanted);
            }
        };
    }

    private static boolean isSame(RedisURI one, RedisURI other) {
        return one.getPort() == other.getPort()
                && one.getHost() != null
                && one.getHost().equals(other.getHost());
    }

    private record Turn(RedisURI from, RedisURI to) {}
}
