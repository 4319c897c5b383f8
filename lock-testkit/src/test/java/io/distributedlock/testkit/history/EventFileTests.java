package io.distributedlock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFileTests {
    @TempDir
    private Path folder;

    /** Records calls for ever, and says when the first hundred are done. */
    static final class EndlessRecorder {
        public static void main(String[] arguments) {
            EventFile file = EventFile.append(Path.of(arguments[0]));
            for (int i = 1; ; i++) {
                RecordedCall.invoke(file, "child", "k", Duration.ofMillis(i)).heldByOther("");
                if (i == 100) {
                    System.out.println("hundred");
                }
            }
        }
    }

    @Test
    void filesOfSeveralProcessesBecomeOneHistoryInTheOrderOfTime() {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        Event awkward =
                new Event(EventKind.LOST, "a\tb", "p1/t1", "p1/t1#1", 20, 7, "0123abcd", "back\\slash\nline\r\\n end");
        Event early = new Event(EventKind.INVOKE, "k", "p2", "p2#1", -5, 0, "", "");
        Event late = new Event(EventKind.GRANTED, "k", "p2", "p2#1", 30, 1L << 53, "", "");
        try (EventFile one = EventFile.append(first);
                EventFile other = EventFile.append(second)) {
            one.record(awkward);
            other.record(early);
            other.record(late);
        }
        assertThat(HistoryFiles.merge(List.of(first, second))).containsExactly(early, awkward, late);
    }

    @Test
    void aKilledProcessLosesNoneOfItsRecordedEvents() {
        Path file = folder.resolve("child");
        try (ChildJvm child = ChildJvm.start(EndlessRecorder.class, file.toString())) {
            child.awaitLine("hundred"::equals);
            child.kill();
        }
        List<Event> events = HistoryFiles.merge(List.of(file));
        assertThat(events).hasSizeGreaterThanOrEqualTo(200);
        for (int i = 0; i < events.size(); i++) {
            assertThat(events.get(i).hold()).isEqualTo("child#" + (i / 2 + 1));
        }
    }

    @Test
    void aLineCutOffAtTheEndIsLeftOut() throws IOException {
        Path path = folder.resolve("cut");
        try (EventFile file = EventFile.append(path)) {
            RecordedCall.invoke(file, "p1", "k", Duration.ZERO).unavailable("");
        }
        Files.writeString(path, "GRANTED\tk\tp", StandardOpenOption.APPEND);
        assertThat(HistoryFiles.merge(List.of(path)))
                .extracting(Event::kind)
                .containsExactly(EventKind.INVOKE, EventKind.UNAVAILABLE);
    }

    @Test
    void aLineThatIsNoEventIsAnError() throws IOException {
        Path path = folder.resolve("bad");
        Files.writeString(path, "GRANTED\tk\tp\n");
        assertThatThrownBy(() -> HistoryFiles.merge(List.of(path)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8 parts");
    }
}
