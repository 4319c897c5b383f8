package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.SentinelSet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * A master with its replicas and Sentinels, all of them well and empty at the start of each test, and clients of
 * theirs.
 */
abstract class SentinelTest extends TopologyTest {

    /** Longer than any test: no caller is taken for down. */
    static final Duration LONG = Duration.ofMinutes(10);

    static SentinelSet set;

    LockClient client;

    @BeforeAll
    static void start() {
        set = SentinelSet.start();
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    @BeforeEach
    void connect() {
        set.rejoinAll();
        set.master().command("FLUSHALL");
        client = client(TTL);
    }

    LockClient client(Duration ttl) {
        return client(RedisClientSource.of(RedisURI.create(set.uri())), ttl);
    }

    /** Once there is a new master, it stays: on a busy machine it might be taken for down as well. */
    static RedisServer awaitPromotion(RedisServer former) {
        RedisServer master = set.awaitPromotion(former);
        set.downAfter(LONG);
        return master;
    }

    static void replicate() {
        assertThat(set.master().command("WAIT", "2", "30000")).isEqualTo(2L);
    }
}
