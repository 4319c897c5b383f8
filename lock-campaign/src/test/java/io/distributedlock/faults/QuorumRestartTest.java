package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisFleet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * F47: masters with snapshots are killed under a holder that some of them can't reach any more, and come back with the
 * data of the last snapshot. The number of rounds is in the system property {@code distributedlock.quorum.rounds}.
 */
class QuorumRestartTest {

    private static final int NODES = 3;
    private static final int ROUNDS = Integer.getInteger("distributedlock.quorum.rounds", 4);
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(150);
    private static final Duration LEASE = Duration.ofMillis(1_500);

    private final RedisFleet fleet = RedisFleet.start(NODES, "--save", "3600 1");
    private final List<Relay> relays = new ArrayList<>();
    private final List<LockClient> clients = new ArrayList<>();
    private final List<RelayedClient> waiters = List.of(connect(), connect());

    /** A client, and its own ways to the nodes. */
    private record RelayedClient(LockClient client, List<Relay> ways) {

        /** Tries once, with little patience. */
        boolean holds(Taken taken) {
            try {
                taken.lock = client.tryAcquire(LockRequest.of("42").withWaitTime(Duration.ofMillis(100)))
                        .orElse(null);
            } catch (LockException noAnswer) {
                taken.lock = null;
            }
            return taken.lock != null;
        }

        LockHandle take() {
            Taken taken = new Taken();
            await().pollInSameThread().pollInterval(5, TimeUnit.MILLISECONDS).until(() -> holds(taken));
            return taken.lock;
        }
    }

    private static final class Taken {
        private LockHandle lock;
    }

    private RelayedClient connect() {
        List<Relay> ways =
                fleet.servers().stream().map(server -> Relay.to(server.port())).toList();
        relays.addAll(ways);
        List<QuorumNode> nodes = ways.stream()
                .map(way -> new QuorumNode(way.uri(), node(way.uri())))
                .toList();
        LockClient client = LockClient.builder(new QuorumLockStore(nodes, NODE_TIMEOUT))
                .commandTimeout(COMMAND_TIMEOUT)
                .ttl(LEASE)
                .build();
        clients.add(client);
        return new RelayedClient(client, ways);
    }

    private static RedisLockStore node(String uri) {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), COMMAND_TIMEOUT);
        return RedisLockStore.votingNode(connections, "lock", true, LEASE);
    }

    @AfterEach
    void close() {
        clients.forEach(LockClient::close);
        relays.forEach(Relay::close);
        fleet.close();
    }

    @Test
    void nodesThatComeBackWithOldDataDoNotGiveAwayALockThatIsHeld() {
        long seed = Long.getLong("distributedlock.quorum.seed", System.nanoTime());
        Random random = new Random(seed);
        int tested = 0;
        int doubles = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Outcome outcome = play(random, random.nextInt(waiters.size()));
            tested += outcome.heldAfterRestart() ? 1 : 0;
            doubles += outcome.twoHolders() ? 1 : 0;
        }
        String line =
                "Quorum with snapshots, seed %d: %d rounds, in %d of them the holder outlived the restarts, %d double holders"
                        .formatted(seed, ROUNDS, tested, doubles);
        System.out.println(line);
        assertThat(doubles).as(line).isZero();
    }

    /**
     * @param heldAfterRestart whether the first holder had not lost the lock when the nodes were back
     * @param twoHolders whether it had not lost it when another one was granted it
     */
    private record Outcome(boolean heldAfterRestart, boolean twoHolders) {}

    private Outcome play(Random random, int first) {
        RelayedClient holder = waiters.get(first);
        snapshot(random);
        LockHandle lock = holder.take();
        snapshot(random);
        List<Integer> victims = some(random);
        disturb(random, holder, some(random));
        victims.forEach(victim -> fleet.server(victim).kill());
        victims.forEach(victim -> fleet.server(victim).restart());
        boolean heldAfterRestart = lock.isHeld();
        LockHandle next = waiters.get(1 - first).take();
        boolean twoHolders = lock.isHeld() && next.isHeld();
        heal(holder);
        end(lock);
        end(next);
        return new Outcome(heldAfterRestart, twoHolders);
    }

    private static void end(LockHandle lock) {
        try {
            lock.release();
        } catch (LockException lost) {
            // That is for the holder to know.
        }
    }

    private void snapshot(Random random) {
        fleet.servers().stream().filter(any -> random.nextInt(3) == 0).forEach(server -> server.command("SAVE"));
    }

    /** A majority, or more. */
    private static List<Integer> some(Random random) {
        List<Integer> all = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(all, random);
        return all.subList(0, 2 + random.nextInt(NODES - 1));
    }

    private static void disturb(Random random, RelayedClient holder, List<Integer> nodes) {
        for (int node : nodes) {
            Relay way = holder.ways().get(node);
            switch (random.nextInt(4)) {
                case 0 -> {
                    way.refuse(true);
                    way.cut(Cut.RST);
                }
                case 1 -> way.hold(Direction.REPLIES);
                case 2 -> way.hold(Direction.REQUESTS);
                default -> {
                    way.hold(Direction.REQUESTS);
                    way.hold(Direction.REPLIES);
                }
            }
        }
    }

    private static void heal(RelayedClient client) {
        for (Relay way : client.ways()) {
            way.refuse(false);
            way.deliver(Direction.REQUESTS);
            way.deliver(Direction.REPLIES);
        }
    }
}
