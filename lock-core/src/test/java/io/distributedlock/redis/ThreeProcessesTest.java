package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClient;
import io.distributedlock.LockHolder;
import io.distributedlock.LockReport;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three processes on one Redis: what each of them says about the locks of all. */
@Timeout(300)
class ThreeProcessesTest {

    /** Does what it is asked for by line, and prints what it sees. */
    static final class Instance {

        private static final Duration PATIENCE = Duration.ofSeconds(20);
        private static final List<CompletableFuture<?>> LOCKS = new ArrayList<>();

        private Instance() {}

        public static void main(String[] arguments) throws IOException {
            RedisLockConnection patient =
                    new RedisLockConnection(RedisClientSource.of(RedisURI.create(arguments[0])), PATIENCE);
            LockClient client = LockClient.builder(new RedisLockStore(patient, "lock"))
                    .identity(new ClientIdentity(arguments[1], null, null, null, null))
                    .ttl(Duration.ofMinutes(2))
                    .waitTime(Duration.ofMinutes(4))
                    .build();
            client.connect(Duration.ofMinutes(2));
            System.out.println("ready");
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("show")) {
                    System.out.println("shown " + shown(client));
                } else {
                    LOCKS.add(client.acquireAsync(LockRequest.of("orders", line))
                            .thenAccept(lock -> System.out.println("held " + lock.key())));
                }
            }
        }

        private static String shown(LockClient client) {
            return client.monitor().list(null, 100).locks().stream()
                    .map(Instance::line)
                    .sorted()
                    .collect(Collectors.joining("; "));
        }

        private static String line(LockReport.Listed lock) {
            return lock.id() + " of " + names(lock.holders()) + " awaited by " + names(lock.waiters());
        }

        private static String names(List<LockHolder> clients) {
            return clients.stream()
                    .map(each -> (each.identity() == null
                                    ? "unknown"
                                    : each.identity().application())
                            + (each.silence() == null ? "" : " (silent)"))
                    .toList()
                    .toString();
        }
    }

    private static ChildJvm instance(RedisServer server, String name) {
        ChildJvm instance = ChildJvm.start(List.of("-XX:TieredStopAtLevel=1"), Instance.class, server.uri(), name);
        instance.awaitLine(line -> line.equals("ready"));
        return instance;
    }

    private static Set<String> shownBy(ChildJvm... instances) {
        for (ChildJvm instance : instances) {
            instance.send("show");
        }
        Set<String> views = new LinkedHashSet<>();
        for (ChildJvm instance : instances) {
            views.add(instance.awaitLine(line -> line.startsWith("shown ")).substring("shown ".length()));
        }
        return views;
    }

    /** How long that took is printed: the machine decides about it. */
    private static void awaitEachToShow(String expected, ChildJvm... instances) {
        long begin = System.nanoTime();
        await().pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(shownBy(instances)).containsExactly(expected));
        System.out.printf("each shows after %d ms: %s%n", (System.nanoTime() - begin) / 1_000_000, expected);
    }

    @Test
    void eachShowsTheSameHoldersAndWaitersAndThatAKilledHolderIsSilent() {
        try (RedisServer server = RedisServer.start();
                ChildJvm shop = instance(server, "shop");
                ChildJvm billing = instance(server, "billing");
                ChildJvm report = instance(server, "report")) {
            shop.send("42");
            shop.awaitLine(line -> line.equals("held 42"));
            awaitEachToShow("orders:42 of [shop] awaited by []", shop, billing, report);
            billing.send("42");
            awaitEachToShow("orders:42 of [shop] awaited by [billing]", shop, billing, report);
            report.send("42");
            awaitEachToShow("orders:42 of [shop] awaited by [billing, report]", shop, billing, report);
            report.send("7");
            report.awaitLine(line -> line.equals("held 7"));
            awaitEachToShow(
                    "orders:42 of [shop] awaited by [billing, report]; orders:7 of [report] awaited by []",
                    shop,
                    billing,
                    report);
            shop.kill();
            awaitEachToShow(
                    "orders:42 of [shop (silent)] awaited by [billing, report]; orders:7 of [report] awaited by []",
                    billing,
                    report);
        }
    }
}
