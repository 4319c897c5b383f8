package io.distributedlock.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.history.OwnerHash;
import io.distributedlock.testkit.history.OwnerSample;
import io.distributedlock.testkit.history.RecordedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HistoryCheckerTests {
    private static final int CHANGES = 20;

    @Test
    void aLongValidHistoryWithFaultsHasNoViolations() {
        History history = RandomHistory.of(1, 200_000);

        assertThat(history.events()).hasSizeGreaterThanOrEqualTo(200_000);
        assertThat(history.faults()).hasSizeGreaterThan(50);
        assertThat(HistoryChecker.check(history, HistoryBuilder.LIMITS)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noSeedMakesAValidHistorySuspicious(long seed) {
        assertThat(HistoryChecker.check(RandomHistory.of(seed, 4_000), HistoryBuilder.LIMITS))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aReleaseTakenOutIsNoticed(long seed) {
        changed(seed, EventKind.RELEASED, event -> List.of(), "I7");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aHoldThatIsNeverGivenUpIsNoticed(long seed) {
        changed(seed, EventKind.RELEASE_INVOKED, event -> List.of(at(event, event.nanos() + 10_000_000_000L)), "I1");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aTokenThatDoesNotGrowIsNoticed(long seed) {
        changed(
                seed,
                EventKind.GRANTED,
                event -> List.of(new Event(
                        event.kind(),
                        event.key(),
                        event.client(),
                        event.hold(),
                        event.nanos(),
                        Math.max(1, event.value() - 1),
                        event.owner(),
                        "")),
                "I2");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anOwnerThatRedisNeverHadIsNoticed(long seed) {
        changed(
                seed,
                EventKind.GRANTED,
                event -> List.of(new Event(
                        event.kind(),
                        event.key(),
                        event.client(),
                        event.hold(),
                        event.nanos(),
                        event.value(),
                        OwnerHash.of("imagined " + event.nanos()),
                        "")),
                "I5");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRefusedCallThatWasNotInTimeIsNoticed(long seed) {
        changed(seed, EventKind.HELD_BY_OTHER, event -> List.of(at(event, event.nanos() + 60_000_000_000L)), "I8");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ownersThatStayInRedisAreNoticed(long seed) {
        History history = RandomHistory.of(seed, 4_000);
        List<OwnerSample> samples = new ArrayList<>(history.samples());
        OwnerSample last = samples.get(samples.size() - 1);
        String dead = history.events().stream()
                .filter(event ->
                        event.kind() == EventKind.GRANTED && event.key().equals(last.key()))
                .findFirst()
                .orElseThrow()
                .owner();
        long muchLater = last.end() + Duration.ofMinutes(1).toNanos();
        samples.add(new OwnerSample(last.key(), muchLater, muchLater + 1, dead, Duration.ofSeconds(1)));
        History more = new History(history.events(), samples, history.faults(), Optional.empty());

        assertThat(invariants(HistoryChecker.check(more, HistoryBuilder.LIMITS)))
                .containsExactly("I3");
    }

    @Test
    void aTotallyBrokenLockIsReportedOnlyAThousandTimesAnInvariant() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            RecordedCall call = RecordedCall.invoke(events::add, "p1/t" + i, "k", Duration.ZERO);
            call.granted(1, OwnerHash.of("owner" + i));
        }
        assertThat(HistoryChecker.check(History.of(events), HistoryBuilder.LIMITS))
                .hasSize(3_000);
    }

    @Test
    void anEmptyHistoryHasNoViolations() {
        assertThat(HistoryChecker.check(History.of(List.of()), Limits.forLease(Duration.ofSeconds(2))))
                .isEmpty();
    }

    private interface Change {
        List<Event> of(Event event);
    }

    /** Changes some events of this kind and expects that the invariant notices at least one of them. */
    private static void changed(long seed, EventKind kind, Change change, String invariant) {
        History history = RandomHistory.of(seed, 4_000);
        List<Event> candidates =
                history.events().stream().filter(event -> event.kind() == kind).toList();
        assertThat(candidates).isNotEmpty();
        Random random = new Random(seed);
        List<Event> events = new ArrayList<>(history.events());
        for (int i = 0; i < CHANGES; i++) {
            Event event = candidates.get(random.nextInt(candidates.size()));
            if (events.remove(event)) {
                events.addAll(change.of(event));
            }
        }
        History bad = new History(events, history.samples(), history.faults(), Optional.empty());
        assertThat(invariants(HistoryChecker.check(bad, HistoryBuilder.LIMITS))).contains(invariant);
    }

    private static Event at(Event event, long nanos) {
        return new Event(
                event.kind(), event.key(), event.client(), event.hold(), nanos, event.value(), event.owner(), "");
    }

    private static Stream<String> invariants(List<Violation> violations) {
        return violations.stream()
                .map(violation -> violation.invariant().split(" ")[0])
                .distinct();
    }

    private static LongStream seeds() {
        return LongStream.rangeClosed(1, 10);
    }
}
