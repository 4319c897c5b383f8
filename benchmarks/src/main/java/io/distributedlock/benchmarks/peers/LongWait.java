package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.Outcome;
import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.benchmarks.peer.Trait;
import io.distributedlock.benchmarks.server.Work;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Two hundred threads of one process wait in vain for a lock that another process holds. It counts what reaches Redis,
 * not time, so all peers wait at once, each with a Redis of its own.
 */
final class LongWait implements Scenario {

    private static final String KASE = "200 waiters";
    private static final int WAITERS = 200;
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int HOLDER = 0;
    private static final int WAITING = 1;

    private static final String COMMANDS = "commands/s";
    private static final String SCRIPTS = "scripts/s";
    private static final String CLIENT = "client CPU ms";
    private static final String SERVER = "server CPU ms";
    private static final String LONGEST = "longest wait s";
    private static final double MILLIS_PER_SECOND = 1e3;

    /** A peer's processes and its server. */
    private record Site(RedisServer redis, ProcessGroup group) {

        static Site open(Peer peer) {
            RedisServer redis = RedisServer.start();
            try {
                return new Site(redis, ProcessGroup.open(peer, redis.port(), 2, "400m", 1));
            } catch (RuntimeException failure) {
                redis.close();
                throw failure;
            }
        }

        void close() {
            group.close();
            redis.close();
        }
    }

    @Override
    public String id() {
        return "8";
    }

    @Override
    public String title() {
        return "200 threads of a process wait for " + WAIT.toSeconds() + " s";
    }

    @Override
    public TableLayout layout() {
        return new TableLayout(
                COMMANDS,
                Catalogue.RAW_PUBSUB,
                List.of(SCRIPTS, CLIENT, SERVER, LONGEST),
                List.of(Target.atMost(1, FigureKey.ours(KASE, SCRIPTS))));
    }

    @Override
    public Duration shortLimit() {
        return Duration.ofSeconds(18);
    }

    @Override
    public Comparison run(RunOptions setting) {
        List<Peer> peers = setting.with(Trait.SHARED);
        ExecutorService waits = Executors.newCachedThreadPool();
        try (StartedPeers<Site> sites = new StartedPeers<>(peers, setting, Site::open, Site::close)) {
            List<CompletableFuture<ResultLine>> lines = peers.stream()
                    .map(peer -> CompletableFuture.supplyAsync(() -> line(peer, sites), waits))
                    .toList();
            return new Comparison(lines.stream().map(CompletableFuture::join).toList());
        } finally {
            waits.shutdown();
        }
    }

    private static ResultLine line(Peer peer, StartedPeers<Site> sites) {
        Series series = new Series();
        try {
            series.add(round(peer, sites.of(peer)));
        } catch (RuntimeException failure) {
            series.fail(String.valueOf(failure.getMessage()));
        }
        return new ResultLine(KASE, peer, series);
    }

    private static Round round(Peer peer, Site site) {
        Order hold = Order.acquire(peer.name());
        site.group().begin(HOLDER, hold);
        site.group().end(HOLDER, hold).failure().ifPresent(failure -> {
            throw new IllegalStateException("there was nothing to wait for: " + failure);
        });
        Order wait = Order.loop(peer.name(), WAITERS, WAIT).withPatience(WAIT);
        Work before = Work.until(site.redis());
        site.group().begin(WAITING, wait);
        Outcome waited = site.group().end(WAITING, wait);
        Work work = Work.until(site.redis()).since(before);
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(COMMANDS, (double) work.count() / WAIT.toSeconds());
        values.put(SCRIPTS, (double) work.scripts() / WAIT.toSeconds());
        values.put(CLIENT, (double) waited.cpu().toMillis());
        values.put(SERVER, (double) work.cpu().toMillis());
        values.put(LONGEST, waited.waited().max().toMillis() / MILLIS_PER_SECOND);
        return new Round(values, remarks(waited));
    }

    private static List<String> remarks(Outcome waited) {
        if (waited.granted() > 0) {
            return List.of("NO EXCLUSION: " + waited.granted() + " were granted a lock that was held");
        }
        return waited.failure()
                .map(failure -> List.of(waited.errors() + " errors, such as " + failure))
                .orElse(List.of());
    }
}
