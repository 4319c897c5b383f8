package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.pubsub.ServerSubscriber;
import io.distributedlock.redis.script.Sha1;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What becomes of messages that come more than once, as those of a Cluster do: from each node that they are passed on to. */
class QueuedClaimsTest {

    private static final ServerSubscriber OPEN = () -> true;
    private static final Claim CLAIM = new Claim("42", "the-owner");

    private final List<Claim> passedOn = new ArrayList<>();
    private final List<Predicate<String>> forced = new ArrayList<>();
    private final AtomicLong past = new AtomicLong();
    private final QueuedClaims grants =
            new QueuedClaims("lock:", passedOn::add, forced::add, reason -> {}, () -> System.nanoTime() + past.get());

    @Test
    void aMessageThatComesTwiceGrantsOnce() {
        CompletableFuture<Optional<Granted>> news = queued(1_000);
        grants.received(grantAt(2_000));
        grants.received(grantAt(2_000));
        assertThat(tokenOf(news)).isEqualTo(2_000);
        assertThat(grants.size()).isZero();
        assertThat(passedOn).isEmpty();
    }

    @Test
    void aMessageThatComesAgainWhenItsClaimWaitsOnceMoreDoesNotTakeItsPlaceFromIt() {
        QueuedClaim claim = tried();
        claim.trying(OPEN);
        claim.tried(true);
        refused(claim, 1_000);
        grants.received(grantAt(2_000));
        CompletableFuture<Optional<Granted>> news = queued(5_000);
        grants.received(grantAt(2_000));
        assertThat(news).isNotDone();
        grants.received(grantAt(6_000));
        assertThat(tokenOf(news)).isEqualTo(6_000);
    }

    @Test
    void aMessageOfAnotherNodeMayComeBeforeTheAnswerThatItIsAbout() {
        QueuedClaim claim = tried();
        grants.received(grantAt(2_000));
        CompletableFuture<Optional<Granted>> news = refused(claim, 1_000);
        assertThat(tokenOf(news)).isEqualTo(2_000);
    }

    @Test
    void aMessageThatDoesNotKnowTheOwnerGrantsNothing() {
        CompletableFuture<Optional<Granted>> news = queued(1_000);
        grants.received(signed("", 9_000));
        grants.received(signed("another owner", 9_000));
        grants.received(grantAt(2_000).replaceFirst("2000", "9000"));
        assertThat(news).isNotDone();
        grants.received(grantAt(2_000));
        assertThat(tokenOf(news)).isEqualTo(2_000);
    }

    @Test
    void aForcedReleaseIsTakenForItsOwnerOnly() {
        grants.receivedByAll(Sha1.sha1("the-owner"));
        assertThat(forced).hasSize(1);
        assertThat(forced.get(0).test("the-owner")).isTrue();
        assertThat(forced.get(0).test("another owner")).isFalse();
    }

    @Test
    void aChannelIsNotUsedAgainAfterAStopBecauseACopyOfThisProcessMayHaveIt() {
        String before = grants.address();
        grants.moves();
        assertThat(grants.address()).startsWith("lock:grants:").isNotEqualTo(before);
    }

    @Test
    void aClaimOfWhichAReplyIsMissingIsForgottenSomeTimeAfterItsWait() {
        QueuedClaim claim = tried();
        claim.tried(true);
        grants.served(claim);
        grants.claim(new Claim("42", "another owner"), Duration.ofSeconds(30), Duration.ofMinutes(1), OPEN);
        assertThat(grants.of(CLAIM)).isSameAs(claim);
        past.addAndGet(Duration.ofMinutes(3).toNanos());
        grants.claim(new Claim("42", "a later owner"), Duration.ofSeconds(30), Duration.ofMinutes(1), OPEN);
        assertThat(grants.of(CLAIM)).isNull();
    }

    private CompletableFuture<Optional<Granted>> queued(long refusedAt) {
        return refused(tried(), refusedAt);
    }

    private QueuedClaim tried() {
        QueuedClaim claim = grants.claim(CLAIM, Duration.ofSeconds(30), Duration.ofMinutes(1), OPEN);
        assertThat(claim).isNotNull();
        claim.trying(OPEN);
        return claim;
    }

    private CompletableFuture<Optional<Granted>> refused(QueuedClaim claim, long refusedAt) {
        CompletableFuture<Optional<Granted>> news =
                claim.refused(refusedAt, System.nanoTime()).toCompletableFuture();
        claim.tried(false);
        grants.notQueued(claim);
        return news;
    }

    /** 0 without one. */
    private static long tokenOf(CompletableFuture<Optional<Granted>> news) {
        return news.getNow(Optional.empty()).map(Granted::token).orElse(0L);
    }

    private static String grantAt(long time) {
        return signed(CLAIM.owner(), time);
    }

    private static String signed(String owner, long time) {
        String numbers = "1 " + time + " " + time + " ";
        return numbers + Sha1.sha1(numbers + owner);
    }
}
