package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.provider.Profiles;
import io.distributedlock.testkit.provider.ProviderRelay;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Users and passwords that change while locks are held, as a provider of credentials delivers them. */
class RotatedCredentialsTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofSeconds(9);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String KEY = "lock:{42}";

    @Test
    void aHeldLockOutlastsAPasswordThatIsReplaced() {
        try (RedisServer server = withUser(RedisServer.start(), "alice", "old")) {
            Vault vault = new Vault("alice", "old");
            try (LockClient client = client(store(server, vault))) {
                assertOutlasted(List.of(server), vault, client);
            }
        }
    }

    @Test
    void aLockInAQuorumOutlastsAPasswordThatIsReplacedAtEachNode() {
        try (RedisFleet fleet = RedisFleet.start(3)) {
            fleet.servers().forEach(server -> withUser(server, "alice", "old"));
            Vault vault = new Vault("alice", "old");
            List<QuorumNode> nodes = fleet.servers().stream()
                    .map(server -> new QuorumNode(server.uri(), store(server, vault)))
                    .toList();
            try (LockClient client = client(new QuorumLockStore(nodes, TIMEOUT.dividedBy(2)))) {
                assertOutlasted(fleet.servers(), vault, client);
            }
        }
    }

    /** The vault has the new password only after the first reconnects were refused. */
    private static void assertOutlasted(List<RedisServer> servers, Vault vault, LockClient client) {
        LockHandle held = client.acquire(LockRequest.of("42").withWaitTime(LIMIT));
        servers.forEach(server -> {
            server.command("ACL", "SETUSER", "alice", "resetpass", ">new");
            server.command("CLIENT", "KILL", "USER", "alice");
        });
        await().atMost(LIMIT).until(() -> servers.stream().allMatch(RotatedCredentialsTest::hasRefused));
        vault.changeTo("alice", "new");

        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(servers)
                        .allSatisfy(server -> assertThat(connections(server, "alice"))
                                .as("%s", server.command("CLIENT", "LIST"))
                                .isOne()));
        assertThat(held.isHeld()).isTrue();
        awaitRenewal(servers);
        assertThat(held.isHeld()).isTrue();
        held.release();
        await().atMost(LIMIT).until(() -> servers.stream().allMatch(server -> remaining(server) < 0));
    }

    /** By most of them: a node of a quorum may be without the lock. */
    private static void awaitRenewal(List<RedisServer> servers) {
        Map<RedisServer, Long> lastSeen = new ConcurrentHashMap<>();
        Set<RedisServer> renewed = ConcurrentHashMap.newKeySet();
        await().atMost(LIMIT).until(() -> {
            for (RedisServer server : servers) {
                long now = remaining(server);
                Long before = lastSeen.put(server, now);
                if (before != null && now > before) {
                    renewed.add(server);
                }
            }
            return renewed.size() > servers.size() / 2;
        });
    }

    @Test
    void aStreamOfCredentialsChangesTheUserOfTheOpenConnection() {
        try (RedisServer server = withUser(withUser(RedisServer.start(), "alice", "old"), "bob", "new")) {
            StreamingVault vault = new StreamingVault("alice", "old");
            try (LockClient client = client(store(server, vault))) {
                LockHandle held = client.acquire(LockRequest.of("42").withWaitTime(LIMIT));
                String opened = connection(server, line -> line.contains(" user=alice "));
                vault.changeTo("bob", "new");

                await().atMost(LIMIT).until(() -> connections(server, "bob") == 1);
                assertThat(connection(server, line -> line.contains(" user=bob ")))
                        .isEqualTo(opened);
                assertThat(connections(server, "alice")).isZero();
                server.command("ACL", "DELUSER", "alice");
                held.release();
                await().atMost(LIMIT).until(() -> remaining(server) < 0);
            }
        }
    }

    /** The connection takes the next password when it is opened. */
    @Test
    void aStreamOfCredentialsIsNoHindranceWhereTheServerSpeaksTheOldProtocolOnly() {
        try (RedisServer server = withUser(withUser(RedisServer.start(), "alice", "old"), "bob", "new");
                ProviderRelay relay = ProviderRelay.to(server.port(), Profiles.REDIS_ENTERPRISE_OLD)) {
            StreamingVault vault = new StreamingVault("alice", "old");
            try (LockClient client = client(store(relay.uri(), vault))) {
                LockHandle held = client.acquire(LockRequest.of("42").withWaitTime(LIMIT));
                assertThat(connections(server, "alice")).isOne();
                vault.changeTo("bob", "new");
                server.command("ACL", "DELUSER", "alice");
                await().atMost(LIMIT).until(() -> connections(server, "bob") == 1);
                held.release();
                await().atMost(LIMIT).until(() -> remaining(server) < 0);
            }
        }
    }

    @Test
    void aStreamOfCredentialsChangesTheUserAtEachNodeOfAQuorum() {
        try (RedisFleet fleet = RedisFleet.start(3)) {
            fleet.servers().forEach(server -> withUser(withUser(server, "alice", "old"), "bob", "new"));
            StreamingVault vault = new StreamingVault("alice", "old");
            List<QuorumNode> nodes = fleet.servers().stream()
                    .map(server -> new QuorumNode(server.uri(), store(server, vault)))
                    .toList();
            try (LockClient client = client(new QuorumLockStore(nodes, TIMEOUT.dividedBy(2)))) {
                LockHandle held = client.acquire(LockRequest.of("42").withWaitTime(LIMIT));
                vault.changeTo("bob", "new");
                await().atMost(LIMIT)
                        .until(() -> fleet.servers().stream()
                                .allMatch(server ->
                                        connections(server, "bob") == 1 && connections(server, "alice") == 0));
                fleet.servers().forEach(server -> server.command("ACL", "DELUSER", "alice"));
                held.release();
                await().atMost(LIMIT).until(() -> fleet.servers().stream().allMatch(server -> remaining(server) < 0));
            }
        }
    }

    @Test
    void aProviderThatDoesNotAnswerKeepsNoCallWaitingForEver() {
        try (RedisServer server = withUser(RedisServer.start(), "alice", "old")) {
            SilentVault vault = new SilentVault("alice", "old");
            try (RedisLockStore store = store(server, vault)) {
                CompletableFuture<?> first = store.ready().toCompletableFuture();
                await().atMost(LIMIT).until(first::isDone);
                assertThat(first).isCompletedExceptionally();
                vault.silent = false;
                await().atMost(LIMIT)
                        .until(() -> store.ready()
                                .handle((open, failure) -> failure == null)
                                .toCompletableFuture()
                                .join());
            }
        }
    }

    private static RedisServer withUser(RedisServer server, String user, String password) {
        server.command("ACL", "SETUSER", user, "on", ">" + password, "~*", "&*", "+@all");
        return server;
    }

    private static RedisLockStore store(RedisServer server, RedisCredentialsProvider credentials) {
        return store(server.uri(), credentials);
    }

    private static RedisLockStore store(String address, RedisCredentialsProvider credentials) {
        RedisURI uri = RedisURI.create(address);
        uri.setCredentialsProvider(credentials);
        return new RedisLockStore(new RedisLockConnection(RedisClientSource.of(uri), TIMEOUT), "lock");
    }

    private static LockClient client(LockStore store) {
        return LockClient.builder(store).ttl(TTL).build();
    }

    private static long remaining(RedisServer server) {
        return (Long) server.command("PTTL", KEY);
    }

    private static boolean hasRefused(RedisServer server) {
        return String.valueOf(server.command("ACL", "LOG")).contains("auth");
    }

    private static long connections(RedisServer server, String user) {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" user=" + user + " "))
                .count();
    }

    /** The server's number for the connection. */
    private static String connection(RedisServer server, Predicate<String> which) {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(which)
                .map(line -> line.split(" ", 2)[0])
                .reduce((one, two) -> {
                    throw new AssertionError("more than one connection");
                })
                .orElseThrow();
    }

    /** Answers with what it was changed to last. */
    private static class Vault implements RedisCredentialsProvider {

        private volatile RedisCredentials now;

        Vault(String user, String password) {
            now = RedisCredentials.just(user, password.toCharArray());
        }

        void changeTo(String user, String password) {
            now = RedisCredentials.just(user, password.toCharArray());
        }

        @Override
        public Mono<RedisCredentials> resolveCredentials() {
            return Mono.fromSupplier(() -> now);
        }
    }

    private static final class SilentVault extends Vault {

        private volatile boolean silent = true;

        SilentVault(String user, String password) {
            super(user, password);
        }

        @Override
        public Mono<RedisCredentials> resolveCredentials() {
            return silent ? Mono.never() : super.resolveCredentials();
        }
    }

    private static final class StreamingVault extends Vault {

        private final Sinks.Many<RedisCredentials> changes =
                Sinks.many().replay().latest();

        StreamingVault(String user, String password) {
            super(user, password);
        }

        @Override
        void changeTo(String user, String password) {
            super.changeTo(user, password);
            changes.tryEmitNext(RedisCredentials.just(user, password.toCharArray()));
        }

        @Override
        public boolean supportsStreaming() {
            return true;
        }

        @Override
        public Flux<RedisCredentials> credentials() {
            return changes.asFlux();
        }
    }
}
