package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes of hints that locks were changed by somebody else. */
class HearsayTest {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final Bench bench = new Bench();
    private LockClient client = bench.client;

    @BeforeEach
    void connect() {
        bench.store.givesHints();
        client = bench.settings().build();
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
    }

    private LockHandle held(String key) {
        return Bench.now(client.acquireAsync(LockRequest.of(key)));
    }

    /** Locks that were renewed a moment ago, so that no renewal is due for a while. */
    private List<LockHandle> heldForAWhile(String... keys) {
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        List<LockHandle> locks = new ArrayList<>();
        for (String key : keys) {
            locks.add(held(key));
        }
        bench.advance(SOON);
        return locks;
    }

    private List<String> asked() {
        return bench.store.calls(Verb.EXTEND).stream()
                .map(call -> call.claim().id())
                .toList();
    }

    private List<String> askedSince(int before) {
        return asked().subList(before, asked().size());
    }

    @Test
    void aLockIsRenewedSoonSoThatTheStoreWatchesIt() {
        held("42");
        bench.advance(SOON);
        assertThat(asked()).containsExactly("default:42");
    }

    @Test
    void aLockThatIsRenewedSoonerAnywayIsLeftToThat() {
        LockClient quick = bench.settings()
                .ttl(Duration.ofMillis(2_100))
                .commandTimeout(Duration.ofMillis(100))
                .build();
        CompletableFuture<LockHandle> lock = quick.acquireAsync(LockRequest.of("42"));
        bench.advanceMillis(700);
        assertThat(Bench.now(lock).isHeld()).isTrue();
        assertThat(asked()).containsExactly("default:42");
    }

    @Test
    void withoutHintsThereIsNoReasonToRenewSoon() {
        Bench silent = new Bench();
        silent.held();
        silent.advance(SOON.multipliedBy(2));
        assertThat(silent.store.verbs()).containsExactly(Verb.ACQUIRE);
    }

    @Test
    void aLockThatIsHintedAtIsAskedForAtOnceAndOthersAreNot() {
        LockHandle lock = heldForAWhile("41", "42", "43").get(1);
        bench.store.always(Verb.EXTEND, ScriptedCall::denies);
        int before = asked().size();
        bench.store.hints("default:42");
        bench.advance(Hearsay.GATHERING);
        assertThat(askedSince(before)).containsExactly("default:42");
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
    }

    @Test
    void hintsOfTheSameMomentAreFollowedTogether() {
        heldForAWhile("41", "42", "43");
        int before = asked().size();
        bench.store.hints("default:41");
        bench.store.hints("default:43", "default:44");
        bench.advance(Hearsay.GATHERING);
        assertThat(askedSince(before)).containsExactly("default:41", "default:43");
    }

    @Test
    void aHintAtNothingInParticularIsAboutEveryLock() {
        heldForAWhile("41", "42");
        int before = asked().size();
        bench.store.hints("default:41");
        bench.store.hints();
        bench.advance(Hearsay.GATHERING);
        assertThat(askedSince(before)).containsExactlyInAnyOrder("default:41", "default:42");
    }

    @Test
    void tooManyHintsAreAboutEveryLock() {
        heldForAWhile("41", "42");
        int before = asked().size();
        for (int i = 0; i <= Hearsay.MAX_IDS; i++) {
            bench.store.hints("another:" + i);
        }
        bench.advance(Hearsay.GATHERING);
        assertThat(askedSince(before)).containsExactlyInAnyOrder("default:41", "default:42");
    }

    @Test
    void afterAMistakenHintTheNextOneWaits() {
        heldForAWhile("41", "42");
        bench.store.hints("default:41");
        bench.advance(Hearsay.GATHERING);
        int before = asked().size();
        bench.store.hints("default:42");
        bench.advance(Hearsay.DISTRUST.minus(Hearsay.GATHERING.multipliedBy(2)));
        assertThat(askedSince(before)).isEmpty();
        bench.advance(Hearsay.GATHERING.multipliedBy(2));
        assertThat(askedSince(before)).containsExactly("default:42");
    }

    @Test
    void afterATrueHintTheNextOneDoesNotWait() {
        heldForAWhile("41", "42", "43");
        Set<String> gone = Set.of("default:41");
        bench.store.always(Verb.EXTEND, call -> {
            if (gone.contains(call.claim().id())) {
                call.denies();
            } else {
                call.confirms();
            }
        });
        bench.store.hints("default:41", "default:42");
        bench.advance(Hearsay.GATHERING);
        int before = asked().size();
        bench.store.hints("default:43");
        bench.advance(Hearsay.GATHERING);
        assertThat(askedSince(before)).containsExactly("default:43");
    }

    @Test
    void aHintAtALockThatIsNotHeldHereIsForgotten() {
        heldForAWhile("41");
        int before = asked().size();
        bench.store.hints("another:1");
        bench.advance(Hearsay.GATHERING);
        bench.store.hints("default:41");
        bench.advance(Hearsay.GATHERING);
        assertThat(askedSince(before)).containsExactly("default:41");
    }
}
