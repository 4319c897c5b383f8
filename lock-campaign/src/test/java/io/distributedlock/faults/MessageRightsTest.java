package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Users with and without the rights for queue and messages share a lock. */
class MessageRightsTest extends QueueFaultTest {

    private static final List<String> LOCKING =
            List.of("+eval +evalsha +set +get +getex +del +pttl +pexpire +time +client|info +client|kill".split(" "));
    private static final List<String> QUEUEING =
            List.of("+zadd +zrem +zpopmin +subscribe +publish +pubsub|numsub".split(" "));

    /** Makes a user with the documented rights, and these besides. */
    static String[] fullUser(String... rights) {
        List<String> all = new ArrayList<>(QUEUEING);
        all.addAll(List.of(rights));
        return user(all, "&lock:*");
    }

    private static String[] user(List<String> rights, String... channels) {
        List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset", "on", ">secret", "~lock:*"));
        rules.add("resetchannels");
        rules.addAll(List.of(channels));
        rules.addAll(LOCKING);
        rules.addAll(rights);
        return rules.toArray(String[]::new);
    }

    private LockClient userWith(List<String> rights, String... channels) {
        server.command(user(rights, channels));
        String uri = server.uri().replace("redis://", "redis://locks:secret@");
        return patient(uri);
    }

    @Test
    void theDocumentedRightsAreEnoughForTheQueue() {
        LockClient user = userWith(QUEUEING, "&lock:*");
        LockHandle holder = take("42");
        CompletableFuture<LockHandle> waiter = user.acquireAsync(WANTED);
        await().until(() -> waiters().size() == 1 || waiter.isDone());
        String owner = waiters().get(0);
        holder.release();
        assertThat(owner()).isEqualTo(owner);
        LockHandle lock = awaitLock(waiter);
        CompletableFuture<LockHandle> next = waiting(queueing(server.uri()), 1);
        lock.release();
        awaitLock(next).release();
        assertNothingIsLeft();
    }

    @Test
    void whoMayNotSubscribeLooksByItself() {
        assertThatItLooksByItself(userWith(QUEUEING));
    }

    @Test
    void whoMayNotPublishLooksByItself() {
        assertThatItLooksByItself(
                userWith(List.of("+zadd", "+zrem", "+zpopmin", "+subscribe", "+pubsub|numsub"), "&lock:*"));
    }

    @Test
    void whoMayNotAskWhoIsHeardLooksByItself() {
        assertThatItLooksByItself(userWith(List.of("+zadd", "+zrem", "+zpopmin", "+subscribe", "+publish"), "&lock:*"));
    }

    @Test
    void whoMayNotUseTheQueueLooksByItself() {
        assertThatItLooksByItself(userWith(List.of("+subscribe", "+publish", "+pubsub|numsub"), "&lock:*"));
    }

    private void assertThatItLooksByItself(LockClient user) {
        LockHandle holder = take("42");
        long before = calls("evalsha");
        CompletableFuture<LockHandle> waiter = user.acquireAsync(WANTED);
        await().until(() -> calls("evalsha") >= before + 10);
        assertThat(waiters()).isEmpty();
        holder.release();
        awaitLock(waiter).release();
        assertNothingIsLeft();
    }

    @Test
    void whoMayNotPublishReleasesAllTheSame() {
        LockClient user = userWith(List.of("+zpopmin"));
        LockHandle holder = take(user, LockRequest.of("42"));
        CompletableFuture<LockHandle> waiter = waiting(queueing(server.uri()), 1);
        holder.release();
        assertThat(user.unresolved()).isZero();
        awaitLock(waiter).release();
        assertNothingIsLeft();
    }

    @Test
    void whoKnowsNothingOfTheQueueReleasesAllTheSame() {
        LockClient user = userWith(List.of());
        LockHandle holder = take(user, LockRequest.of("42"));
        CompletableFuture<LockHandle> waiter = waiting(queueing(server.uri()), 1);
        holder.release();
        assertThat(isInRedis()).isFalse();
        awaitLock(waiter).release();
        assertNothingIsLeft();
    }
}
