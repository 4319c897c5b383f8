package io.distributedlock.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks among the replicas of a lost master for the one that is promoted in its place, and has the driver led there. The driver goes on asking
 * a Sentinel meanwhile, namely one that answers; as soon as that names another master than the lost one, it goes to that one.
 */
final class Search {

    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final System.Logger LOG = System.getLogger(Search.class.getName());

    private final RedisClient client;
    private final Sentinels sentinels;
    private final Detour detour;
    private final EventExecutor loop;

    /** What follows is used by tasks on the loop alone. */
    private List<Candidate> candidates = List.of();

    private @Nullable RedisURI master;
    private @Nullable Future<?> ticks;
    private boolean asking;
    private boolean over;

    Search(RedisClient client, Sentinels sentinels, Detour detour, EventExecutor loop) {
        this.client = client;
        this.sentinels = sentinels;
        this.detour = detour;
        this.loop = loop;
    }

    /** The first look is due only when the connection has not come back by itself. */
    void begin() {
        onLoop(() ->
                ticks = loop.scheduleAtFixedRate(this::tick, PERIOD.toNanos(), PERIOD.toNanos(), TimeUnit.NANOSECONDS));
    }

    void end() {
        detour.end();
        onLoop(this::stop);
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException clientIsClosed) {
            detour.end();
        }
    }

    private void stop() {
        over = true;
        detour.end();
        if (ticks != null) {
            ticks.cancel(false);
        }
        candidates.forEach(Candidate::close);
    }

    private void tick() {
        candidates.forEach(Candidate::look);
        if (candidates.isEmpty() && !asking) {
            asking = true;
            sentinels.ask().whenCompleteAsync((watched, failure) -> told(watched), loop);
        }
    }

    private void told(Sentinels.@Nullable Watched watched) {
        asking = false;
        if (watched != null && !over) {
            master = watched.master();
            detour.beginWith(sentinels.addresses(), watched.sentinel());
            candidates = watched.replicas().stream()
                    .map(replica -> new Candidate(client, replica, loop, this::direct))
                    .toList();
            candidates.forEach(Candidate::look);
        }
    }

    private void direct() {
        RedisURI lost = master;
        Optional<Candidate> promoted =
                candidates.stream().filter(Candidate::isPromoted).findFirst();
        if (lost == null || over || promoted.isEmpty()) {
            leadNobodyAway(lost);
        } else {
            RedisURI successor = promoted.get().address();
            detour.lead(lost, successor);
            sentinels.ask().whenCompleteAsync((watched, failure) -> answers(watched), loop);
            LOG.log(
                    System.Logger.Level.INFO,
                    "The replica {0} has been promoted in place of {1}: locks go on there",
                    nameOf(successor),
                    nameOf(lost));
        }
    }

    private void leadNobodyAway(@Nullable RedisURI lost) {
        if (lost != null) {
            detour.end(lost);
        }
    }

    /** A Sentinel that has just promoted a replica writes that down, and leaves its clients without an answer meanwhile. */
    private void answers(Sentinels.@Nullable Watched watched) {
        if (watched != null && !over) {
            detour.beginWith(sentinels.addresses(), watched.sentinel());
        }
    }

    private static String nameOf(RedisURI node) {
        return node.getHost() + ":" + node.getPort();
    }
}
