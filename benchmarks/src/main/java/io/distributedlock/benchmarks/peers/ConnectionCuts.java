package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.Outcome;
import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.benchmarks.peer.Trait;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** All connections are cut again and again while threads take locks: how many calls fail, and how many succeed. */
final class ConnectionCuts implements Scenario {

    private static final String KASE = "4 keys, 2 threads each";
    private static final int KEYS = 4;
    private static final int THREADS_OF_A_KEY = 2;
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration WAIT = Duration.ofMillis(200);
    private static final Duration LENGTH = Duration.ofSeconds(20);

    private static final String CYCLES = "cycles/s";
    private static final String EXCEPTIONS = "exceptions";
    private static final String REFUSED = "refused";
    private static final String SPRING_INTEGRATION = "si-pubsub";

    @Override
    public String id() {
        return "9";
    }

    @Override
    public String title() {
        return "connections are cut every " + PAUSE.toMillis() + " ms for " + LENGTH.toSeconds() + " s, calls wait "
                + WAIT.toMillis() + " ms";
    }

    @Override
    public TableLayout layout() {
        FigureKey cycles = FigureKey.ours(KASE, CYCLES);
        FigureKey exceptions = FigureKey.ours(KASE, EXCEPTIONS);
        return new TableLayout(
                CYCLES,
                SPRING_INTEGRATION,
                List.of(EXCEPTIONS, REFUSED),
                List.of(
                        Target.atLeast(1, cycles, cycles.of(SPRING_INTEGRATION)),
                        Target.atLeast(1, cycles.of(Catalogue.OURS_TTL), cycles.of(SPRING_INTEGRATION)),
                        Target.atMost(20, exceptions),
                        Target.atMost(20, exceptions.of(Catalogue.OURS_TTL))));
    }

    @Override
    public Duration shortLimit() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Comparison run(RunOptions setting) {
        List<ResultLine> lines = new ArrayList<>();
        for (Peer peer : setting.with(Trait.SHARED)) {
            Series series = new Series();
            if (setting.deadline().isOver()) {
                series.fail("no time left");
            } else {
                setting.progress().println("cutting the connections of " + peer);
                try {
                    series.add(round(peer));
                } catch (RuntimeException failure) {
                    series.fail(String.valueOf(failure.getMessage()));
                }
            }
            lines.add(new ResultLine(KASE, peer, series));
        }
        return new Comparison(lines);
    }

    /** A process for each key, so that each key has connections of its own. */
    private static Round round(Peer peer) {
        List<ProcessGroup> processes = new ArrayList<>();
        ScheduledExecutorService cutter = Executors.newSingleThreadScheduledExecutor();
        try (RedisServer redis = RedisServer.start();
                Relay relay = Relay.to(redis.port())) {
            for (int key = 0; key < KEYS; key++) {
                processes.add(ProcessGroup.open(peer, relay.port(), 1, "200m", 1));
            }
            cutter.scheduleAtFixedRate(
                    () -> relay.cut(Cut.RST), PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            return round(processes);
        } finally {
            cutter.shutdownNow();
            processes.forEach(ProcessGroup::close);
        }
    }

    private static Round round(List<ProcessGroup> processes) {
        List<Order> orders = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            orders.add(Order.loop("cut-" + key, THREADS_OF_A_KEY, LENGTH).withPatience(WAIT));
            processes.get(key).begin(0, orders.get(key));
        }
        long granted = 0;
        long refused = 0;
        long errors = 0;
        List<String> remarks = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            Outcome outcome = processes.get(key).end(0, orders.get(key));
            granted += outcome.granted();
            refused += outcome.refused();
            errors += outcome.errors();
            outcome.failure().filter(any -> remarks.isEmpty()).ifPresent(text -> remarks.add("such as " + text));
            if (processes.get(key).overlaps() > 0) {
                remarks.add("NO EXCLUSION: " + processes.get(key).overlaps() + " overlaps");
            }
        }
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(CYCLES, (double) granted / LENGTH.toSeconds());
        values.put(EXCEPTIONS, (double) errors);
        values.put(REFUSED, (double) refused);
        return new Round(values, remarks);
    }
}
