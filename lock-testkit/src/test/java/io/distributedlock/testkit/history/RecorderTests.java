package io.distributedlock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.check.HistoryBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecorderTests {
    @Test
    void eventsOfAllThreadsAreKept() {
        Recorder recorder = new Recorder(10_000);
        CompletableFuture<?>[] threads = IntStream.range(0, 4)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        RecordedCall call = RecordedCall.invoke(recorder, "p1/t" + thread, "k", Duration.ofSeconds(1));
                        call.heldByOther("");
                    }
                }))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(threads).join();

        List<Event> events = recorder.history().events();
        assertThat(events).hasSize(8_000).isSortedAccordingTo((one, other) -> Long.compare(one.nanos(), other.nanos()));
        assertThat(events.stream().map(Event::hold).distinct()).hasSize(4_000);
    }

    @Test
    void aFullRecorderSaysSo() {
        Recorder recorder = new Recorder(1);
        recorder.killing("p1");
        assertThatThrownBy(() -> recorder.killing("p2"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("full with 1 entries");
    }

    @Test
    void aFaultLastsUntilItIsClosed() {
        Recorder recorder = new Recorder(10);
        long before = System.nanoTime();
        try (Recorder.OpenFault open = recorder.fault("pause", "p1", Effect.CLIENT_PAUSED)) {
            assertThat(open).isNotNull();
            assertThat(recorder.history().faults()).isEmpty();
        }
        assertThat(recorder.history().faults()).singleElement().satisfies(fault -> {
            assertThat(fault.effects()).containsExactly(Effect.CLIENT_PAUSED);
            assertThat(fault.process()).isEqualTo("p1");
            assertThat(fault.begin()).isBetween(before, fault.end());
        });
    }

    @Test
    void aWholeOwnerValueIsRefused() {
        RecordedCall call = RecordedCall.invoke(new Recorder(10), "p1", "k", Duration.ZERO);
        assertThatThrownBy(() -> call.granted(1, "0123456789abcdef0123456789abcdef"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hash of 8 characters")
                .hasMessageNotContaining("0123456789abcdef");
        assertThat(OwnerHash.of("0123456789abcdef0123456789abcdef")).hasSize(8);
    }

    @Test
    void aReportIsOneLineAndItsViolationsBelow() {
        Recorder recorder = new Recorder(100);
        try (Recorder.OpenFault open = recorder.fault("nothing")) {
            assertThat(open).isNotNull();
        }
        RecordedCall call = RecordedCall.invoke(recorder, "p1", "k", Duration.ZERO);
        call.granted(1, "");
        CampaignReport bad = CampaignReport.of("standalone", recorder.history(), HistoryBuilder.LIMITS);
        assertThat(bad.line()).isEqualTo("campaign: standalone cycles: 1 faults: 1 violations: 1");
        assertThat(bad.toString()).contains(bad.line(), "I7", "neither released nor lost", "GRANTED k p1");

        History left = History.of(List.of()).withRest(new FinalState(List.of(), Map.of("threads", 1L)));
        CampaignReport both = bad.and(CampaignReport.of("standalone", left, HistoryBuilder.LIMITS));
        assertThat(both.line()).isEqualTo("campaign: standalone cycles: 1 faults: 1 violations: 2");
    }
}
