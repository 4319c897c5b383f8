package io.distributedlock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockHolder;
import io.distributedlock.LockMode;
import io.distributedlock.LockReport;
import io.distributedlock.spring.actuate.WaitChains.Link;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who waits for whom, as far as the list of locks says it. */
class WaitChainsTests {

    private static LockHolder client(String name, long seconds) {
        return new LockHolder(name, null, null, Duration.ofSeconds(seconds), null);
    }

    private static LockReport.Listed lock(String id, LockHolder holder, LockHolder... waiters) {
        return lock(id, List.of(holder), waiters);
    }

    private static LockReport.Listed lock(String id, List<LockHolder> holders, LockHolder... waiters) {
        return new LockReport.Listed(
                id, LockMode.EXCLUSIVE, "owner", holders, 1, null, false, waiters.length, List.of(waiters));
    }

    private static List<String> links(LockReport.Listed... locks) {
        return WaitChains.of(List.of(locks)).stream()
                .map(link -> link.lock() + " by " + link.holder().client() + " -> " + link.waitsFor()
                        + (link.circle() ? " circle" : ""))
                .toList();
    }

    @Test
    void aHolderThatWaitsForAnotherLockIsALinkOfTheChain() {
        assertThat(links(
                        lock("a", client("shop", 30), client("report", 5)),
                        lock("b", client("billing", 20), client("shop", 10)),
                        lock("c", client("audit", 60), client("billing", 2))))
                .containsExactlyInAnyOrder("a by shop -> b", "b by billing -> c");
    }

    @Test
    void twoClientsThatWaitForEachOtherAreACircleAndWhatLeadsThereIsNone() {
        assertThat(links(
                        lock("a", client("shop", 30), client("billing", 5)),
                        lock("b", client("billing", 20), client("shop", 10)),
                        lock("c", client("report", 60), client("audit", 1)),
                        lock("d", client("other", 60), client("other", 1)),
                        lock("e", client("report", 60), client("audit", 1)),
                        lock("a2", client("shop", 30), client("report", 9))))
                .contains("a by shop -> b circle", "b by billing -> a circle", "c by report -> a2", "a2 by shop -> b");
    }

    @Test
    void aCircleOfThreeIsFound() {
        assertThat(links(
                        lock("a", client("one", 30), client("three", 5)),
                        lock("b", client("two", 30), client("one", 5)),
                        lock("c", client("three", 30), client("two", 5))))
                .containsExactlyInAnyOrder("a by one -> b circle", "b by two -> c circle", "c by three -> a circle");
    }

    /** It is another call of the client that holds it. */
    @Test
    void aClientThatWaitedBeforeItAskedForWhatItHoldsClosesNoCircle() {
        assertThat(links(
                        lock("a", client("shop", 5), client("billing", 1)),
                        lock("b", client("billing", 60), client("shop", 30))))
                .containsExactly("b by billing -> a");
    }

    @Test
    void anUnknownAgeAndASharedLockLeaveNothingOut() {
        LockHolder unknown = new LockHolder("shop", null, null, null, null);
        assertThat(links(
                        lock("a", List.of(client("other", 1), unknown), client("billing", 5)),
                        lock("b", client("billing", 20), unknown)))
                .containsExactlyInAnyOrder("a by shop -> b circle", "b by billing -> a circle");
    }

    @Test
    void locksThatNoClientWaitsForAreNoLinks() {
        assertThat(links(lock("a", client("shop", 30)), lock("b", client("billing", 20), client("shop", 10))))
                .isEmpty();
    }

    @Test
    void theListIsBoundedAndCirclesComeFirst() {
        Stream<LockReport.Listed> many = IntStream.range(0, 300)
                .mapToObj(i -> lock("x" + i, client("shop", 90), client("shop", 5), client("report", 5)));
        Stream<LockReport.Listed> circle = Stream.of(
                lock("a", client("one", 30), client("two", 5)), lock("b", client("two", 30), client("one", 5)));
        List<Link> links = WaitChains.of(Stream.concat(many, circle).toList());
        assertThat(links)
                .hasSize(100)
                .allSatisfy(link -> assertThat(link.circle()).isTrue());
    }
}
