package io.distributedlock.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Leads the driver to other servers than those that it looks for, while there is reason to; otherwise where it wants to go. */
final class Detour {

    private final Map<Place, RedisURI> turns = new ConcurrentHashMap<>();
    private final Sessions sessions;

    /** @param sessions told when there is another way, so that nobody goes on waiting at the end of the last one */
    Detour(Sessions sessions) {
        this.sessions = sessions;
    }

    /** From now on whoever looks for the one gets to the other. */
    void lead(RedisURI from, RedisURI to) {
        turns.put(Place.of(from), to);
        sessions.goElsewhere();
    }

    /**
     * From now on whoever tries these servers in their order begins with another one: the two change places.
     *
     * @param answering the one of them that has just led to an answer
     */
    void beginWith(List<RedisURI> inOrder, RedisURI answering) {
        RedisURI first = inOrder.get(0);
        RedisURI better = turns.getOrDefault(Place.of(answering), answering);
        inOrder.forEach(this::end);
        if (!Place.of(better).equals(Place.of(first))) {
            turns.put(Place.of(first), better);
            turns.put(Place.of(better), first);
        }
        sessions.giveUpKnocking();
    }

    /** Who looks for this one gets there. */
    void end(RedisURI from) {
        turns.remove(Place.of(from));
    }

    void end() {
        turns.clear();
    }

    SocketAddressResolver before(SocketAddressResolver usual) {
        return new SocketAddressResolver() {
            @Override
            public SocketAddress resolve(RedisURI wanted) {
                return usual.resolve(turns.getOrDefault(Place.of(wanted), wanted));
            }
        };
    }

    private record Place(String host, int port) {

        static Place of(RedisURI uri) {
            return new Place(String.valueOf(uri.getHost()), uri.getPort());
        }
    }
}
