package io.distributedlock.benchmarks.topologies;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.benchmarks.figures.Digits;
import io.distributedlock.benchmarks.figures.Headings;
import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.figures.Spread;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Takes and releases distinct locks on one Redis and on a Cluster of three masters, in turns. */
public final class Topologies implements Program {

    /** How many processors the client and the masters kept busy together. */
    static final String CORES = "processors busy";

    private static final String RATIO = "of one Redis";
    private static final String EXPLAINED = "explained by CPU";
    private static final List<Integer> THREADS = List.of(1, 16, 64);
    private static final int ROUNDS = 7;
    private static final int FEWER_ROUNDS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration LENGTH = Duration.ofSeconds(3);
    private static final Duration SHORTER = Duration.ofMillis(700);

    @Override
    public String name() {
        return "topologies";
    }

    @Override
    public String purpose() {
        return "distinct locks on one Redis and on a Cluster of 3 masters: cycles per second; 3 minutes, or 20 s with "
                + SHORT;
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        boolean brief = Program.isShort(options);
        List<Row> rows = new ArrayList<>();
        try (Deployment redis = Deployment.oneRedis();
                Deployment cluster = Deployment.cluster()) {
            for (int threads : THREADS) {
                rows.addAll(measure(List.of(redis, cluster), threads, brief));
                progress.println(threads + " threads done");
            }
        }
        return new Report(name(), setup(), List.of(Table.of(rows)), notes(), true);
    }

    private static List<Row> measure(List<Deployment> places, int threads, boolean brief) {
        Throughput throughput = new Throughput(threads);
        Duration length = brief ? SHORTER : LENGTH;
        places.forEach(place -> throughput.measure(place, brief ? SHORTER : WARM_UP));
        List<Series> series = places.stream().map(place -> new Series()).toList();
        for (int round = 0; round < (brief ? FEWER_ROUNDS : ROUNDS); round++) {
            for (int i = 0; i < places.size(); i++) {
                series.get(i).add(throughput.measure(places.get(i), length));
            }
        }
        Series one = series.get(0);
        return IntStream.range(0, places.size())
                .mapToObj(i -> row(places.get(i), threads, series.get(i), one))
                .toList();
    }

    private static double median(Series series, String heading) {
        return series.spread(heading).map(Spread::median).orElse(0.0);
    }

    private static double cpu(Series series) {
        return median(series, Headings.CLIENT_CPU) + median(series, Headings.SERVER_CPU);
    }

    private static Row row(Deployment place, int threads, Series series, Series one) {
        Map<String, String> cells = new LinkedHashMap<>();
        Map<String, Object> figures = new LinkedHashMap<>();
        cells.put("locks on", place.title());
        cells.put("threads", String.valueOf(threads));
        figures.put("place", place.title());
        figures.put("threads", threads);
        for (String heading : List.of(Headings.CYCLES, Headings.CLIENT_CPU, Headings.SERVER_CPU, CORES)) {
            Spread spread = series.spread(heading).orElseThrow();
            cells.put(heading, Digits.of(spread));
            figures.put(heading, spread.median());
        }
        double ratio = median(series, Headings.CYCLES) / median(one, Headings.CYCLES);
        double explained = cpu(one) / cpu(series);
        cells.put(RATIO, Digits.of(ratio));
        cells.put(EXPLAINED, Digits.of(explained));
        figures.put(RATIO, ratio);
        figures.put(EXPLAINED, explained);
        return new Row(cells, figures);
    }

    private static Map<String, String> setup() {
        Map<String, String> setup = new LinkedHashMap<>();
        setup.put("Java", System.getProperty("java.version"));
        setup.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        return setup;
    }

    private static List<String> notes() {
        return List.of(
                "Each cycle takes and releases a lock without contention, of 1,000 keys for each thread, through"
                        + " one client. The places take turns;"
                        + " the median of the rounds, with the smallest and the largest.",
                "Client and masters share the machine's processors. 'Explained by CPU': the rate that the same"
                        + " processor time pays for, as a part of that of one Redis; it is lower"
                        + " because commands that go to three servers travel in smaller batches. A rate that is not"
                        + " below it is explained by the"
                        + " processors; masters on machines of their own would show more. The Cluster's replicas are"
                        + " ended before, so that each"
                        + " lock is kept once.");
    }
}
