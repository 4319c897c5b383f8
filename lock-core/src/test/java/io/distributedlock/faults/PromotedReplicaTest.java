package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.testkit.Direction;
import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.Relay;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** F22: a master dies, and who takes its place is looked for, whatever the Sentinels know and say. */
class PromotedReplicaTest extends SentinelTest {

    private static final Pattern QUESTION = Pattern.compile(" name= .* cmd=info ");

    /** Sentinels that notice nothing stand for those that notice late. */
    @Test
    void aPromotedReplicaIsFoundThoughTheSentinelsStillNameTheFormerMaster() {
        set.downAfter(LONG);
        take(client).release();
        RedisServer former = set.master();
        RedisServer successor = set.replicas().get(0);
        former.kill();
        awaitQuestionTo(successor);
        successor.command("REPLICAOF", "NO", "ONE");
        LockHandle lock = take(client);
        awaitHeldAt(successor);
        assertThat(set.master()).isSameAs(former);
        lock.release();
        awaitFreeAt(successor);
    }

    @Test
    void aReplicaThatComesBackAsAMasterIsNotTakenForThePromotedOne() {
        set.downAfter(LONG);
        take(client).release();
        RedisServer stranger = set.replicas().get(0);
        stranger.kill();
        set.master().kill();
        stranger.restart();
        awaitQuestionTo(stranger);
        assertThatThrownBy(() -> client.acquire(LockRequest.of("42").withWaitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockUnavailableException.class);
        assertThat(pttl(stranger)).isNegative();
    }

    /** This client waits longer for a connection than the test does for a lock. The Sentinel itself stays well. */
    @Test
    void aSentinelThatVanishesTogetherWithTheMasterIsNotWaitedFor() {
        int first = set.sentinels().get(0).port();
        try (Relay way = Relay.to(first)) {
            String uri = set.uri().replace(":" + first, ":" + way.port());
            LockClient patient =
                    client(RedisClientSource.of(RedisURI.create(uri)), Duration.ofMinutes(10), Duration.ofMinutes(2));
            take(patient).release();
            List<RedisServer> successors = set.replicas();
            RedisServer former = set.master();
            way.hold(Direction.REPLIES);
            former.kill();
            assertThat(delayOfFirstGrant(patient, successors)).isLessThan(Duration.ofMinutes(1));
            awaitPromotion(former);
        }
    }

    /** It can't find the promoted replica by itself, so it waits until the Sentinels name it. */
    @Test
    void aUserWhoMayNotAskAServerWhatItIsFollowsTheSentinels() {
        set.nodes().forEach(node -> node.command(MessageRightsTest.fullUser()));
        RedisURI asUser = RedisURI.create(set.uri().replaceFirst("//[^@]*@", "//locks:secret@"));
        LockClient user = client(RedisClientSource.of(asUser), TTL);
        take(user).release();
        RedisServer former = set.master();
        former.kill();
        RedisServer master = awaitPromotion(former);
        LockHandle lock = take(user);
        awaitHeldAt(master);
        lock.release();
    }

    /** Sentinels ask, too, but by their names. */
    private static void awaitQuestionTo(RedisServer server) {
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> QUESTION.matcher(String.valueOf(server.command("CLIENT", "LIST")))
                        .find());
    }
}
