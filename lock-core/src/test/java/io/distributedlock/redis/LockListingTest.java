package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockHolder;
import io.distributedlock.LockMode;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.spi.LockListing;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All locks of a Redis, as each client of it sees them. */
@Timeout(300)
class LockListingTest {

    private static final int MANY = 10_000;
    /** What one SCAN looks at. */
    private static final int LEAST_COUNT = 50;

    private static final String FILL = "for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do"
            + " redis.call('SET', ARGV[3] .. i .. ARGV[4], 'some-owner', 'PX', 600000) end";

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private LockClient client(String application) {
        return client(application, PatientStore.of(server.uri()));
    }

    private static LockClient client(String application, RedisLockStore store) {
        LockClient client = LockClient.builder(store)
                .identity(new ClientIdentity(application, null, "host-of-" + application, 7L, null))
                .build();
        client.connect(Duration.ofMinutes(2));
        return client;
    }

    private void fill(int from, int to, String before, String behind) {
        server.command("EVAL", FILL, "0", String.valueOf(from), String.valueOf(to), before, behind);
    }

    private static Map<String, LockReport.Listed> all(LockMonitor monitor, int limit) {
        Map<String, LockReport.Listed> locks = new HashMap<>();
        String cursor = null;
        do {
            LockMonitor.Page page = monitor.list(cursor, limit);
            assertThat(page.locks()).extracting(LockReport.Listed::id).doesNotHaveDuplicates();
            page.locks().forEach(lock -> locks.put(lock.id(), lock));
            cursor = page.next();
        } while (cursor != null);
        return locks;
    }

    @Test
    void threeClientsSeeTheSameHolderAndTheSameWaitersInTheirOrder() {
        LockRequest wanted = LockRequest.of("orders", "42").withWaitTime(Duration.ofMinutes(1));
        try (LockClient shop = client("shop");
                LockClient billing = client("billing");
                LockClient report = client("report")) {
            LockHandle lock = shop.acquire(wanted);
            List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
            for (LockClient next : List.of(billing, report)) {
                waiting.add(next.acquireAsync(wanted));
                int queued = waiting.size();
                await().until(() ->
                        server.command("ZCARD", "lock:{orders:42}:q").equals((long) queued));
            }
            for (LockClient any : List.of(shop, billing, report)) {
                await().untilAsserted(() -> {
                    LockReport.Listed listed = all(any.monitor(), 100).get("orders:42");
                    assertThat(listed.mode()).isEqualTo(LockMode.EXCLUSIVE);
                    assertThat(names(listed.holders())).containsExactly("shop on host-of-shop (pid 7)");
                    assertThat(listed.holders().get(0).age()).isLessThan(Duration.ofMinutes(2));
                    assertThat(listed.holders().get(0).age().getNano() % 1_000_000)
                            .as("parts of a millisecond, for people")
                            .isZero();
                    assertThat(listed.remaining()).isPositive();
                    assertThat(listed.heldHere()).isEqualTo(any == shop);
                    assertThat(listed.waiting()).isEqualTo(2);
                    assertThat(names(listed.waiters()))
                            .containsExactly("billing on host-of-billing (pid 7)", "report on host-of-report (pid 7)");
                    assertThat(listed.waiters())
                            .allSatisfy(waiter -> assertThat(waiter.age()).isLessThan(Duration.ofMinutes(2)));
                });
            }
            assertThat(all(shop.monitor(), 1).get("orders:42").holders().get(0).thread())
                    .isEqualTo(Thread.currentThread().getName());
            lock.release();
            waiting.forEach(next -> next.join().release());
            assertThat(all(shop.monitor(), 100)).isEmpty();
        }
    }

    private static List<String> names(List<LockHolder> holders) {
        return holders.stream().map(who -> String.valueOf(who.identity())).toList();
    }

    @Test
    void aSharedLockIsListedWithAllWhoShareIt() {
        LockRequest shared = LockRequest.of("report").shared();
        try (LockClient shop = client("shop");
                LockClient billing = client("billing")) {
            LockHandle one = shop.acquire(shared);
            LockHandle other = billing.acquire(shared);
            await().untilAsserted(() -> {
                LockReport.Listed listed = all(shop.monitor(), 100).get("report");
                assertThat(listed.mode()).isEqualTo(LockMode.SHARED);
                assertThat(listed.holderCount()).isEqualTo(2);
                assertThat(names(listed.holders()))
                        .containsExactlyInAnyOrder(
                                "shop on host-of-shop (pid 7)", "billing on host-of-billing (pid 7)");
            });
            one.release();
            other.release();
        }
    }

    /** Other keys and other locks come and go meanwhile. The cost is printed: the machine decides about it. */
    @Test
    void tenThousandLocksAreListedPageByPage() {
        fill(1, MANY, "lock:{orders:", "}");
        fill(1, MANY, "other:", "");
        server.command("CONFIG", "SET", "slowlog-log-slower-than", "1000");
        try (LockClient shop = client("shop")) {
            all(shop.monitor(), 100);
            server.command("SLOWLOG", "RESET");
            server.command("CONFIG", "RESETSTAT");
            Set<String> found = new HashSet<>();
            String cursor = null;
            int pages = 0;
            long before = System.nanoTime();
            do {
                fill(pages * 10, pages * 10 + 10, "lock:{late:", "}");
                LockMonitor.Page page = shop.monitor().list(cursor, LockListing.MAX_LOCKS);
                assertThat(page.locks()).extracting(LockReport.Listed::id).doesNotHaveDuplicates();
                assertThat(page.locks()).hasSizeLessThan(1_000);
                page.locks().forEach(lock -> found.add(lock.id()));
                cursor = page.next();
                pages++;
            } while (cursor != null);
            long millis = (System.nanoTime() - before) / 1_000_000;
            assertThat(found)
                    .containsAll(IntStream.rangeClosed(1, MANY)
                            .mapToObj(i -> "orders:" + i)
                            .toList());
            System.out.printf("%d locks on %d pages in %d ms%n", found.size(), pages, millis);
            long micros = 0;
            for (String command : List.of("scan", "time", "get", "pttl")) {
                System.out.printf("%s: %d calls, %d us%n", command, stat(command, "calls"), stat(command, "usec"));
                micros += stat(command, "usec");
            }
            System.out.printf("all of a refresh of all locks: %d us of the server%n", micros);
            assertThat(stat("get", "calls"))
                    .as("one for each lock that was found, and those of the roster")
                    .isBetween((long) MANY, 2L * found.size());
            assertThat(stat("pttl", "calls")).isEqualTo(stat("get", "calls"));
            assertThat(stat("scan", "calls")).isLessThan(2L * MANY / LEAST_COUNT + pages);
            assertThat(stat("time", "calls")).isEqualTo(stat("scan", "calls"));
            assertThat(others()).as("other commands").isEmpty();
            System.out.println("slow commands: " + server.command("SLOWLOG", "GET"));
            assertThat(String.valueOf(server.command("INFO", "commandstats"))).doesNotContain("cmdstat_keys:");
        }
    }

    private long stat(String command, String name) {
        return Stream.of(String.valueOf(server.command("INFO", "commandstats")).split("\r?\n"))
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*[:,]" + name + "=(\\d+),.*", "$1")))
                .sum();
    }

    private List<String> others() {
        return Stream.of(String.valueOf(server.command("INFO", "commandstats")).split("\r?\n"))
                .filter(line -> line.startsWith("cmdstat_"))
                .map(line -> line.substring("cmdstat_".length(), line.indexOf(':')))
                .filter(name -> !name.matches("scan|time|get|pttl|eval|set|ping|info|config.*|slowlog.*|client.*"))
                .toList();
    }

    @Test
    void theLockWithWhichAClientTriesTheServerIsNotListed() {
        fill(1, 3, "lock:{distributed-lock:probe-", "}");
        fill(4, 4, "lock:{distributed-lock:", "}");
        try (LockClient shop = client("shop")) {
            assertThat(all(shop.monitor(), 100)).containsOnlyKeys("distributed-lock:4");
        }
    }

    @Test
    void aPrefixMeansItselfAndKeysOfOtherKindsAreNoLocks() {
        fill(1, 3, "a*[b]?:{orders:", "}");
        fill(4, 6, "aXXb1:{orders:", "}");
        fill(7, 9, "a*[b]?:other:{orders:", "}");
        server.command("HSET", "a*[b]?:{orders:10}", "field", "value");
        server.command("SET", "a*[b]?:{orders:11}", "written by hand");
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(server.uri())), Duration.ofSeconds(5));
        try (LockClient shop = client("shop", new RedisLockStore(connections, "a*[b]?"))) {
            Map<String, LockReport.Listed> all = all(shop.monitor(), 100);
            assertThat(all).containsOnlyKeys("orders:1", "orders:2", "orders:3", "orders:11");
            assertThat(all.get("orders:11").remaining()).isNull();
            assertThat(all.get("orders:11").holders())
                    .singleElement()
                    .satisfies(who -> assertThat(who.identity()).isNull());
        }
    }

    @Test
    void withoutTheRightToScanTheListSaysSoAndLocksGoOn() {
        server.command("ACL", "SETUSER", "narrow", "on", ">secret", "allkeys", "allchannels", "+@all", "-scan");
        try (LockClient shop = client("shop", storeOf("narrow"))) {
            LockHandle lock = shop.acquire(LockRequest.of("orders", "42"));
            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> shop.monitor().list(null, 100))
                    .withMessageContaining("needs the right +scan");
            lock.release();
        }
    }

    @Test
    void withoutTheRightsToTheQueueItIsLeftOut() {
        server.command(
                "ACL", "SETUSER", "narrow", "on", ">secret", "allkeys", "allchannels", "+@all", "-zcard", "-zrange");
        try (LockClient shop = client("shop", storeOf("narrow"))) {
            server.command("SET", "lock:{orders:42}", "some-owner!", "PX", "60000");
            server.command("ZADD", "lock:{orders:42}:q", "1", "1000 1000 channel 1 another-owner");
            LockReport.Listed listed = all(shop.monitor(), 100).get("orders:42");
            assertThat(listed.waiting()).isNull();
            assertThat(listed.waiters()).isEmpty();
        }
    }

    private RedisLockStore storeOf(String user) {
        return PatientStore.of(server.uri().replace("redis://", "redis://" + user + ":secret@"));
    }

    @Test
    void aCursorThatIsNoneIsRefused() {
        try (LockClient shop = client("shop")) {
            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> shop.monitor().list("x; FLUSHALL", 100))
                    .withMessageContaining("no cursor");
        }
    }
}
