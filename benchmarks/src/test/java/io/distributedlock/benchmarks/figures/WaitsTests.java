package io.distributedlock.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitsTests {

    @Test
    void aQuantileIsExactToAThirtySecondOfItsValue() {
        Waits waits = new Waits();
        LongStream.rangeClosed(1, 100_000).forEach(micros -> waits.record(micros * 1_000));

        for (double share : new double[] {0.1, 0.5, 0.9, 0.99, 0.999}) {
            double expected = share * 100_000_000;
            assertThat((double) waits.quantile(share).toNanos()).isCloseTo(expected, within(expected / 32));
        }
    }

    @Test
    void noQuantileExceedsTheLongest() {
        Waits waits = new Waits();
        waits.record(1_000_001);

        assertThat(waits.quantile(0.5)).isEqualTo(Duration.ofNanos(1_000_001));
        assertThat(waits.max()).isEqualTo(Duration.ofNanos(1_000_001));
    }

    @Test
    void whatThreadsSawIsAddedUp() {
        Waits one = new Waits();
        one.record(10);
        Waits other = new Waits();
        other.record(20);
        other.record(30);

        one.add(other);

        assertThat(one.total()).isEqualTo(3);
        assertThat(one.quantile(0.5)).isEqualTo(Duration.ofNanos(20));
        assertThat(one.max()).isEqualTo(Duration.ofNanos(30));
    }

    @Test
    void theBucketsOfAnotherProcessGiveTheSameWaits() {
        Waits sent = new Waits();
        LongStream.of(0, 31, 32, 33, 1_234_567, Long.MAX_VALUE).forEach(sent::record);

        Waits received = Waits.of(sent.buckets(), sent.max().toNanos());

        assertThat(received.total()).isEqualTo(6);
        assertThat(received.buckets()).isEqualTo(sent.buckets());
        assertThat(received.quantile(0.8)).isEqualTo(sent.quantile(0.8));
        assertThat(received.max()).isEqualTo(sent.max());
    }

    @Test
    void withoutWaitsEverythingIsZero() {
        assertThat(new Waits().quantile(0.99)).isZero();
        assertThat(new Waits().max()).isZero();
    }

    @Test
    void aNegativeWaitCountsAsNone() {
        Waits waits = new Waits();
        waits.record(-5);

        assertThat(waits.quantile(1)).isZero();
        assertThat(waits.total()).isEqualTo(1);
    }
}
