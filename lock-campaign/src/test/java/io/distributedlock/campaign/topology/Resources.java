package io.distributedlock.campaign.topology;

import static java.util.Objects.requireNonNull;

import io.distributedlock.LockClient;
import io.distributedlock.LockStatistics;
import io.distributedlock.testkit.server.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What clients, their JVM and the servers keep while all is at rest.
 *
 * <p>Objects are counted by class after a collection: those of the library, commands of its driver, and what
 * collections and futures are made of. One entry of a map that is kept by mistake is one more of them, which no size of
 * the heap would show. Left out are the counters of fencing tokens and the lanes of extensions: in a Cluster, there is
 * one for each slot that was used, and no end of it; and the entries that the JDK has for each class
 * of the class path, for each type of a method, and for the annotations of a class, because rare code runs for the first
 * time at any minute. The last are those of linked maps, in which nothing of the library grows but its own objects. Left
 * out are weak maps as well, of which the library has none: each event loop of Netty has three for the classes of its
 * handlers, and meets a class when it first opens a connection of a kind.
 *
 * @param counts by name: threads, connections, keys, queues, and the objects of each class
 * @param heap in bytes, after a collection
 */
record Resources(Map<String, Long> counts, long heap) {

    private static final String CONNECTIONS = "connections";
    private static final List<String> NAMES = List.of("threads", CONNECTIONS, "keys", "queues");
    private static final String LANE = ".ExtendScriptCall$Lane";
    private static final Set<String> EXACT = Set.of("keys", "queues");
    private static final String METHOD_TYPE = "MethodType$ConcurrentWeakInternSet$WeakEntry";
    private static final Pattern LOADED = Pattern.compile("(\\d+) +\\d+ +\\d+ +\\S+AppClassLoader");
    private static final String OBJECTS = "objects of ";
    private static final String NODES = OBJECTS + ConcurrentHashMap.class.getName() + "$Node";
    private static final Pattern HISTOGRAM_LINE = Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+)");
    private static final Pattern COUNTED =
            Pattern.compile("io\\.distributedlock\\.(?!campaign|testkit|test\\.)(?!.*(\\$Lane|InFlightLimit)$)[^/]*"
                    + "|io\\.lettuce\\..*Command"
                    + "|java\\.util\\.(?!TreeMap|LinkedHashMap|WeakHashMap|logging|concurrent\\.locks)"
                    + "[^/]*(Node|Entry|Future|Future\\$.*|Task)");

    /** A leak of one entry in 10,000 cycles is twice as much. */
    private static final long CYCLES_FOR_ONE = 20_000;

    private static final long HEAP_FRACTION = 10;

    /** Of the heap; a Cluster's client has opened 18 of its 21 connections after a minute, and each had 600,000 bytes. */
    private static final long CONNECTION = 1_000_000;

    private static final double MB = 1_000_000;

    static Resources of(Topology topology, TopologyClients clients) {
        Map<String, Long> counts = new TreeMap<>();
        List<MatchResult> classes =
                HISTOGRAM_LINE.matcher(histogram()).results().toList();
        for (MatchResult line : classes) {
            if (COUNTED.matcher(line.group(3)).matches()) {
                counts.merge(OBJECTS + line.group(3), Long.parseLong(line.group(1)), Long::sum);
            } else if (line.group(3).endsWith(LANE) || line.group(3).endsWith(METHOD_TYPE)) {
                counts.merge(NODES, -Long.parseLong(line.group(1)), Long::sum);
            }
        }
        counts.merge(NODES, -2 * loadedClasses(), Long::sum);
        counts.put("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
        counts.put(CONNECTIONS, sum(topology.servers(), Resources::connections));
        counts.put("keys", sum(topology.masters(), Resources::keys));
        counts.put("queues", sum(clients.all(), each -> queued(each.client())));
        long heap = sum(classes, line -> Long.parseLong(line.group(2)));
        return new Resources(Map.copyOf(counts), heap);
    }

    private static <T> long sum(List<T> all, ToLongFunction<T> count) {
        return all.stream().mapToLong(count).sum();
    }

    private static String histogram() {
        return diagnosed("gcClassHistogram", new Object[] {new String[0]}, String[].class.getName());
    }

    /** How many classes of the class path are loaded. The JDK has an entry in two maps for each of them. */
    private static long loadedClasses() {
        return LOADED.matcher(diagnosed("vmClassloaderStats", new Object[0]))
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
    }

    private static String diagnosed(String command, Object[] arguments, String... types) {
        try {
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            return String.valueOf(
                    ManagementFactory.getPlatformMBeanServer().invoke(commands, command, arguments, types));
        } catch (JMException failed) {
            throw new IllegalStateException("the JVM does not tell what it has", failed);
        }
    }

    /** Those of the driver, which alone speaks RESP3 here. */
    private static long connections(RedisServer server) {
        String list = String.valueOf(server.command("CLIENT", "LIST"));
        return list.lines().filter(line -> line.contains(" resp=3")).count();
    }

    private static long keys(RedisServer server) {
        List<?> keys = requireNonNull((List<?>) server.command("KEYS", "*"));
        return keys.stream()
                .filter(key -> !String.valueOf(key).startsWith("lock:fence"))
                .count();
    }

    private static long queued(LockClient client) {
        LockStatistics now = client.monitor().statistics();
        return now.totalHeld() + now.totalWaiting() + now.unresolved();
    }

    /** What there is more of later, beyond what one entry in 20,000 cycles explains. */
    List<String> growth(Resources later, long cycles) {
        List<String> grown = new ArrayList<>();
        later.counts.forEach((name, count) -> {
            long before = counts.getOrDefault(name, 0L);
            long allowed = EXACT.contains(name) ? 0 : cycles / CYCLES_FOR_ONE;
            if (count > before + allowed) {
                grown.add(name + ": " + before + " -> " + count);
            }
        });
        if (later.heap > heap + heap / HEAP_FRACTION) {
            grown.add("heap: " + heap + " -> " + later.heap + " bytes");
        }
        return grown;
    }

    /**
     * What has grown since the first minute: keys and queues, of which there may be no more, and the heap, beyond a tenth
     * and what the connections take that were opened later. Other counts still grow then.
     */
    List<String> growthSinceTheFirstMinute(Resources later, long cycles) {
        long opened = Math.max(0, later.counts.get(CONNECTIONS) - counts.get(CONNECTIONS));
        return new Resources(exact(counts), heap + opened * CONNECTION)
                .growth(new Resources(exact(later.counts), later.heap), cycles);
    }

    private static Map<String, Long> exact(Map<String, Long> counts) {
        return EXACT.stream().collect(Collectors.toMap(Function.identity(), counts::get));
    }

    /** This and what there is later, in one line. */
    String to(Resources later) {
        StringBuilder line = new StringBuilder("heap: %.1f -> %.1f MB".formatted(heap / MB, later.heap / MB));
        NAMES.forEach(name -> line.append(" %s: %d -> %d".formatted(name, counts.get(name), later.counts.get(name))));
        return line.append(" objects: %d -> %d".formatted(objects(), later.objects()))
                .toString();
    }

    private long objects() {
        return counts.entrySet().stream()
                .filter(each -> each.getKey().startsWith(OBJECTS))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
