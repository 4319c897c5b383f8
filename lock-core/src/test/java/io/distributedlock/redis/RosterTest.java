package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients on one Redis know of each other. */
@Timeout(120)
class RosterTest {

    private static final LockRequest ONCE = LockRequest.of("orders", "42").withWaitTime(Duration.ZERO);
    private static final int CYCLES = 200;

    /** A refusal that takes so long counts as one after a wait, which is written down. */
    private static final Duration WAIT = Duration.ofMillis(100);

    private static final Set<String> NOTE = Set.of("ltrim", "lpush", "pexpire");

    private final RedisServer server = RedisServer.start();
    private long slowRefusals;

    @AfterEach
    void stop() {
        server.close();
    }

    private LockClient client(String application) {
        return probed(LockClient.builder(PatientStore.of(server.uri()))
                .identity(new ClientIdentity(application, null, "host-of-" + application, 7L, null))
                .build());
    }

    /** Its probe has ended with the release of a lock. */
    private LockClient probed(LockClient client) {
        long releases = server.calls("del");
        opened(client);
        await("the end of the probe").until(() -> server.calls("del") > releases);
        return client;
    }

    private static LockClient opened(LockClient client) {
        client.connect(Duration.ofMinutes(2));
        return client;
    }

    private LockNotAcquiredException refusalOf(LockClient client) {
        return catchThrowableOfType(LockNotAcquiredException.class, () -> client.acquire(ONCE));
    }

    /** A refusal waits only a moment for the name, so that the first ones of a slow process may come without it. */
    private LockNotAcquiredException refusalNaming(LockClient client, String holder) {
        return await("a refusal that says: " + holder)
                .until(() -> refusalOf(client), refusal -> refusal.getMessage().contains(holder));
    }

    private List<?> roster() {
        return (List<?>) server.command("KEYS", "lock:client:*");
    }

    @Test
    void threeClientsKnowWhoHoldsALock() {
        try (LockClient shop = client("shop");
                LockClient billing = client("billing");
                LockClient report = client("report")) {
            LockHandle lock = shop.acquire(ONCE);
            await().until(() -> !roster().isEmpty());
            for (LockClient other : List.of(billing, report)) {
                LockNotAcquiredException refusal =
                        refusalNaming(other, "is held by shop on host-of-shop (pid 7), which asked for it");
                assertThat(refusal.holder().orElseThrow().age()).isLessThan(Duration.ofMinutes(1));
            }
            lock.release();
            LockHandle next = billing.acquire(ONCE);
            await().until(() -> roster().size() == 3);
            refusalNaming(shop, "is held by billing on host-of-billing");
            next.release();
        }
        assertThat(roster()).isEmpty();
    }

    @Test
    void aSharedLockNamesOneOfItsHolders() {
        try (LockClient shop = client("shop");
                LockClient billing = client("billing")) {
            LockHandle lock = shop.acquire(ONCE.shared());
            await().until(() -> !roster().isEmpty());
            refusalNaming(billing, "is held by shop on host-of-shop");
            lock.release();
        }
    }

    /** A refused try of a caller that only wants to know whether it got the lock asks nothing either. */
    @Test
    void aLockCostsNoCommandMoreThanWithoutARoster() {
        Map<String, Long> without;
        try (LockClient client =
                probed(LockClient.builder(PatientStore.of(server.uri())).build())) {
            without = commandsOf(client);
        }
        try (LockClient client = client("shop")) {
            client.acquire(ONCE).release();
            await().until(() -> !roster().isEmpty());
            Map<String, Long> with = commandsOf(client);
            long lines = with.getOrDefault("set", 0L) - without.getOrDefault("set", 0L);
            assertThat(lines).as("lines written meanwhile").isBetween(0L, 20L);
            assertThat(NOTE).allMatch(command -> with.getOrDefault(command, 0L) <= slowRefusals);
            with.keySet().removeIf(name -> name.equals("set") || NOTE.contains(name));
            without.keySet().removeIf(name -> name.equals("set"));
            assertThat(with).isEqualTo(without);
        }
    }

    private Map<String, Long> commandsOf(LockClient client) {
        LockRequest other = LockRequest.of("orders", "7");
        client.acquire(other).release();
        client.tryAcquire(ONCE).orElseThrow().release();
        slowRefusals = 0;
        server.command("CONFIG", "RESETSTAT");
        for (int i = 0; i < CYCLES; i++) {
            client.acquire(other).release();
        }
        LockHandle held = client.acquire(ONCE);
        for (int i = 0; i < CYCLES; i++) {
            long before = System.nanoTime();
            assertThat(client.tryAcquire(ONCE)).isEmpty();
            slowRefusals += System.nanoTime() - before >= WAIT.toNanos() ? 1 : 0;
        }
        held.release();
        return Stream.of(String.valueOf(server.command("INFO", "commandstats")).split("\r?\n"))
                .filter(line -> line.startsWith("cmdstat_"))
                .filter(line -> !line.matches("cmdstat_(config|info|ping|client).*"))
                .collect(Collectors.toMap(
                        line -> line.substring("cmdstat_".length(), line.indexOf(':')),
                        line -> Long.valueOf(line.replaceAll(".*:calls=(\\d+),.*", "$1"))));
    }

    /** Holds a lock until it is killed. */
    static final class Holding {
        public static void main(String[] arguments) throws IOException {
            LockClient client = opened(LockClient.builder(RedisLockStore.of(RedisURI.create(arguments[0])))
                    .identity(ClientIdentity.ofProcess("shop", null))
                    .build());
            LockHandle lock = client.acquire(ONCE.withTtl(Duration.ofHours(2)));
            System.out.println("held " + lock.isHeld());
            System.out.println("ended by line " + System.in.read());
        }
    }

    @Test
    void aKilledHolderIsNamedAndKnownToGiveNoSignOfLife() {
        try (ChildJvm holder = ChildJvm.start(Holding.class, server.uri());
                LockClient billing = client("billing")) {
            holder.awaitLine(line -> line.startsWith("held "));
            await().until(() -> roster().size() == 1);
            Object line = roster().get(0);
            assertThat(refusalNaming(billing, "is held by shop")).hasMessageContaining("asked for it");
            await("the whole lease").until(() -> (long) server.command("PTTL", "lock:{orders:42}") > 60_000);
            holder.kill();
            server.command(
                    "PEXPIRE",
                    String.valueOf(line),
                    String.valueOf(Duration.ofSeconds(3_570).toMillis()));
            await().untilAsserted(() -> assertThat(refusalOf(billing))
                    .hasMessageContaining("is held by shop")
                    .hasMessageContaining("which has given no sign of life for 3"));
            server.command("DEL", String.valueOf(line));
            await().untilAsserted(
                            () -> assertThat(refusalOf(billing)).hasMessageContaining("is held by another owner"));
        }
    }
}
