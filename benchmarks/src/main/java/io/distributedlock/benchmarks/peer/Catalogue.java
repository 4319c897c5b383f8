package io.distributedlock.benchmarks.peer;

import static io.distributedlock.benchmarks.peer.Trait.FREE;
import static io.distributedlock.benchmarks.peer.Trait.LOCAL;
import static io.distributedlock.benchmarks.peer.Trait.SHARED;
import static io.distributedlock.benchmarks.peer.Trait.WOKEN;

import io.distributedlock.LockRequest;
import io.distributedlock.ReleaseMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.redisson.api.RedissonClient;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * All peers, in the order of the tables. A further setting of this library is one more line here; its name begins with
 * {@value #OURS}.
 *
 * <p>The raw ones are floors, not locks to use: what the same commands cost with nothing around them.
 */
public final class Catalogue {

    /** This library as it is without settings. */
    public static final String OURS = "ours";
    /** The same without barging: strictly in the order of arrival. */
    public static final String OURS_FIFO = "ours-fifo";
    /** The same with releases that are not waited for. */
    public static final String OURS_PIPELINED = "ours-pipelined";
    /** The same with an explicit ttl, as long as the others' leases. */
    public static final String OURS_TTL = "ours-ttl";
    /** The same with a fencing token that comes with each lock. */
    public static final String OURS_FENCED = "ours-fenced";
    /** What everybody is compared with. */
    public static final String REDISSON = "redisson";

    public static final String RAW_SYNC = "raw-sync";
    public static final String RAW_CONSOL = "raw-consol";
    public static final String RAW_PUBSUB = "raw-pubsub";

    private static final List<Peer> ALL = List.of(
            peer(OURS, port -> OwnClient.open(port, defaults -> defaults), FREE, LOCAL, SHARED, WOKEN),
            peer(OURS_FIFO, port -> OwnClient.open(port, each -> each.barging(false)), LOCAL),
            peer(OURS_PIPELINED, port -> OwnClient.open(port, each -> each.releases(ReleaseMode.PIPELINED)), FREE),
            peer(
                    OURS_TTL,
                    port -> OwnClient.asking(port, each -> each.withTtl(Lease.LENGTH)),
                    FREE,
                    LOCAL,
                    SHARED,
                    WOKEN),
            peer(OURS_FENCED, port -> OwnClient.asking(port, LockRequest::withFencing), FREE, LOCAL, SHARED, WOKEN),
            peer(REDISSON, port -> new RedissonPeer(port, RedissonClient::getLock), FREE, LOCAL, SHARED, WOKEN),
            peer("redisson-spin", port -> new RedissonPeer(port, RedissonClient::getSpinLock), LOCAL, SHARED),
            peer(
                    "redisson-fair",
                    port -> new RedissonPeer(port, RedissonClient::getFairLock),
                    FREE,
                    LOCAL,
                    SHARED,
                    WOKEN),
            peer("si-spin", port -> new RegistryPeer(port, RedisLockType.SPIN_LOCK), FREE, LOCAL, SHARED),
            peer("si-pubsub", port -> new RegistryPeer(port, RedisLockType.PUB_SUB_LOCK), FREE, LOCAL, SHARED, WOKEN),
            peer("lock4j", Lock4jPeer::new, FREE, LOCAL, SHARED),
            peer("shedlock", ShedLockPeer::new, FREE),
            peer(RAW_SYNC, port -> new RawTry(RawConnections.plain(port)), FREE),
            peer(RAW_CONSOL, port -> new RawTry(RawConnections.consolidated(port)), FREE),
            peer(RAW_PUBSUB, RawPubSub::new, LOCAL, SHARED, WOKEN),
            peer("raw-blpop", RawBlpop::new, LOCAL, SHARED, WOKEN),
            peer("ReentrantLock(true)", port -> new LocalLocks(), LOCAL, WOKEN));

    private Catalogue() {}

    public static List<Peer> all() {
        return ALL;
    }

    public static Optional<Peer> named(String name) {
        return ALL.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    private static Peer peer(String name, IntFunction<PeerClient> opener, Trait... traits) {
        return new Peer(name, Set.copyOf(Arrays.asList(traits)), opener);
    }
}
