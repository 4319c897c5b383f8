package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.distributedlock.SegmentedLock.Segment;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SegmentedLockTest {

    private static final LockRequest STOCK = LockRequest.of("stock", "7").withWaitTime(Duration.ofMillis(200));

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final SegmentedLock lock = new SegmentedLock(client, STOCK, 3);

    @AfterEach
    void close() {
        client.close();
    }

    /** Locks of running processes depend on these figures: they must never change. */
    @ParameterizedTest
    @CsvSource({
        "123456789, 1000, 262",
        "123456789, 10, 2",
        "42, 10, 8",
        "user-1, 10, 4",
        "user-2, 16, 14",
        "'', 10, 0",
        "\u00fc\u20ac\ud83d\ude80, 1000, 67"
    })
    void aValueBelongsToTheSameSegmentForEver(String value, int segments, int segment) {
        assertThat(SegmentedLock.segmentOf(value, segments)).isEqualTo(segment);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 10, 16, 64})
    void noSegmentGetsMoreThanTwiceItsShareOfUsersInARow(int segments) {
        Map<Integer, Long> users = IntStream.range(0, 1_000 * segments)
                .mapToObj(user -> SegmentedLock.segmentOf("user-" + user, segments))
                .collect(Collectors.groupingBy(segment -> segment, TreeMap::new, Collectors.counting()));
        assertThat(users).hasSize(segments);
        assertThat(users.values()).allMatch(count -> count > 500 && count < 2_000);
    }

    @Test
    void aSegmentHasAKeyOfItsOwnAndTheOptionsOfTheWhole() {
        assertThat(lock.segment(2)).isEqualTo(LockRequest.of("stock", "7#2").withWaitTime(Duration.ofMillis(200)));
        assertThat(lock.segmentFor("user-1")).isEqualTo(lock.segment(SegmentedLock.segmentOf("user-1", 3)));
    }

    @Test
    void holdersOfDifferentSegmentsDoNotExcludeEachOther() {
        try (LockHandle first = client.acquire(lock.segment(0));
                LockHandle second = client.acquire(lock.segment(1))) {
            assertThat(first.isHeld()).isTrue();
            assertThat(second.isHeld()).isTrue();
            assertThat(client.tryAcquire(lock.segment(1).withWaitTime(Duration.ZERO)))
                    .isEmpty();
        }
    }

    @Test
    void theSearchBeginsAtTheOwnSegmentAndComesToAll() {
        for (int user = 0; user < 10; user++) {
            assertThat(lock.beginningAt("user-" + user))
                    .startsWith(SegmentedLock.segmentOf("user-" + user, 3))
                    .containsExactlyInAnyOrder(0, 1, 2);
        }
    }

    @Test
    void anyFreeSegmentIsTakenUntilNoneIsLeft() {
        int own = SegmentedLock.segmentOf("user-1", 3);
        try (Segment first = lock.tryAny("user-1").orElseThrow();
                Segment second = lock.tryAny("user-1").orElseThrow();
                Segment third = lock.acquireAny("user-1")) {
            assertThat(first.number()).isEqualTo(own);
            assertThat(second.number()).isEqualTo((own + 1) % 3);
            assertThat(third.number()).isEqualTo((own + 2) % 3);
            assertThat(third.lock().key()).isEqualTo("7#" + third.number());
            Optional<Segment> none = lock.tryAny("user-1");
            assertThat(none).isEmpty();
            assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> lock.acquireAny("user-1"));
        }
        assertThat(client.held()).isEmpty();
    }

    @Test
    void whoWaitsForAnySegmentWaitsForTheOwnOne() throws Exception {
        SegmentedLock patient = new SegmentedLock(client, STOCK.withWaitTime(Duration.ofSeconds(50)), 2);
        Segment own = patient.tryAny("user-1").orElseThrow();
        try (Segment other = patient.tryAny("user-1").orElseThrow()) {
            Thread waiting = new Thread(() -> patient.acquireAny("user-1").close());
            waiting.start();
            await().until(() -> client.monitor().awaited(9).stream()
                    .anyMatch(awaited -> awaited.id().equals("stock:7#" + own.number())));
            own.close();
            waiting.join();
            assertThat(other.lock().isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 1_001})
    void aLockThatIsNotCutOrTooFinelyIsRefused(int segments) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SegmentedLock(client, STOCK, segments))
                .withMessage("A lock can have from 2 to 1000 segments, but not " + segments);
    }

    @Test
    void aSegmentThatDoesNotExistIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.segment(3))
                .withMessage("The lock has the segments 0 to 2, but no segment 3");
    }
}
