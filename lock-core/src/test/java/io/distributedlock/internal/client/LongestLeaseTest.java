package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockPolicy;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.TtlPolicy;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node of a quorum forgets its locks when it is restarted, and then grants nothing for the longest lease. The nodes here can't be reached. */
class LongestLeaseTest {

    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final Duration LONGER = Duration.ofSeconds(41);
    private static final LockRequest REQUEST = LockRequest.of("orders", "42").withWaitTime(Duration.ZERO);

    private final List<RedisLockStore> stores = Stream.of(LONGEST.plusSeconds(5), LONGEST, LONGEST.plusSeconds(9))
            .map(quarantine -> RedisLockStore.votingNode(
                    new RedisLockConnection(
                            RedisClientSource.of(RedisURI.create("redis://127.0.0.1:1")), Duration.ofSeconds(1)),
                    "lock",
                    true,
                    quarantine))
            .toList();
    private final LockClient client = LockClient.builder(new QuorumLockStore(
                    stores.stream()
                            .map(store -> new QuorumNode("node" + stores.indexOf(store), store))
                            .toList(),
                    Duration.ofMillis(200)))
            .policy("long", LockPolicy.of(TtlPolicy.fixed(LONGER)))
            .build();

    @AfterEach
    void close() {
        client.close();
    }

    private void refused(LockRequest request) {
        assertThatThrownBy(() -> client.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orders:42")
                .hasMessageContaining("41000 ms")
                .hasMessageContaining("40000 ms at most")
                .hasMessageContaining("distributed-lock.quorum.restart-quarantine");
    }

    @Test
    void aRequestForALongerLeaseThanTheNodesAllowIsRefusedBeforeAnythingIsSent() {
        refused(REQUEST.withTtl(LONGER));
        assertThat(client.acquireAsync(REQUEST.withTtl(LONGER))).isCompletedExceptionally();
    }

    @Test
    void soIsOneWhoseLeaseComesFromAPolicyOrItsMinHold() {
        refused(REQUEST.withPolicy("long"));
        refused(REQUEST.withMinHold(LONGER));
    }

    @Test
    void theLongestAllowedLeaseIsNotRefused() {
        assertThatThrownBy(() -> client.acquire(REQUEST.withTtl(LONGEST)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageNotContaining("longer");
    }

    @Test
    void aNodeRefusesEachCommandThatWouldMakeALeaseLonger() {
        RedisLockStore node = stores.get(1);
        Claim claim = new Claim("orders:42", "owner");
        List<Runnable> commands = List.of(
                () -> node.acquire(claim, LONGER, Duration.ZERO),
                () -> node.acquire(claim, LONGER, claim, Duration.ofSeconds(1)),
                () -> node.extend(claim, 1, LONGER),
                () -> node.prepareExtension(List.of(claim), 1, LONGER));
        for (Runnable command : commands) {
            assertThatThrownBy(command::run)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("41000 ms is longer than the restart quarantine")
                    .hasMessageContaining("distributed-lock.quorum.restart-quarantine")
                    .extracting(failure -> ((StoreException) failure).effect())
                    .isEqualTo(Effect.REFUSED);
        }
    }
}
