package io.distributedlock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutualExclusionWordTests {
    private static final int KEYS = 4;

    @TempDir
    private Path folder;

    private Path file;
    private MutualExclusionWord word;

    /** Enters key 2 with the id 77, and leaves it when a line comes in. */
    static final class Visitor {
        public static void main(String[] arguments) throws IOException {
            MutualExclusionWord word = MutualExclusionWord.open(Path.of(arguments[0]), KEYS);
            System.out.println("inside, met " + word.enter(2, 77));
            if (System.in.read() >= 0) {
                System.out.println("left " + word.exit(2, 77));
            }
        }
    }

    @BeforeEach
    void open() {
        file = folder.resolve("word");
        word = MutualExclusionWord.open(file, KEYS);
    }

    @Test
    void whoIsAloneMeetsNoCaller() {
        assertThat(word.enter(0, 1)).isEmpty();
        assertThat(word.enter(1, 2)).isEmpty();
        assertThat(word.exit(0, 1)).isTrue();
        assertThat(word.enter(0, 3)).isEmpty();
        assertThat(word.overlaps()).isZero();
    }

    @Test
    void whoEntersAnOccupiedKeyLearnsWhoIsInsideAndLeavesTheWordAlone() {
        assertThat(word.enter(0, 1)).isEmpty();
        assertThat(word.enter(0, 2)).hasValue(1);
        assertThat(word.exit(0, 2)).isFalse();
        assertThat(word.enter(0, 3)).hasValue(1);
        assertThat(word.exit(0, 1)).isTrue();
        assertThat(word.overlaps()).isEqualTo(2);
    }

    @Test
    void anotherProcessIsMetInside() {
        try (ChildJvm visitor = ChildJvm.start(Visitor.class, file.toString())) {
            assertThat(visitor.awaitLine(line -> line.startsWith("inside")))
                    .isEqualTo("inside, met OptionalLong.empty");
            assertThat(word.enter(2, 1)).hasValue(77);

            visitor.send("leave");
            assertThat(visitor.awaitLine(line -> line.startsWith("left"))).isEqualTo("left true");
            assertThat(word.enter(2, 1)).isEmpty();
            assertThat(word.overlaps()).isEqualTo(1);
        }
    }

    @Test
    void anotherProcessMeetsUs() {
        assertThat(word.enter(2, 5)).isEmpty();
        try (ChildJvm visitor = ChildJvm.start(Visitor.class, file.toString())) {
            assertThat(visitor.awaitLine(line -> line.startsWith("inside"))).isEqualTo("inside, met OptionalLong[5]");
            assertThat(word.overlaps()).isEqualTo(1);
        }
    }

    @Test
    void aKilledProcessCanBeTakenOut() {
        assertThat(word.enter(1, 5)).isEmpty();
        try (ChildJvm visitor = ChildJvm.start(Visitor.class, file.toString())) {
            visitor.awaitLine(line -> line.startsWith("inside"));
            visitor.kill();
        }
        word.evict(id -> id == 77);
        assertThat(word.enter(2, 1)).isEmpty();
        assertThat(word.enter(1, 6)).as("others stay").hasValue(5);
    }

    @Test
    void thoseWhoShareMeetOnlyWhoIsAlone() {
        assertThat(word.enterShared(0, 1)).isEmpty();
        assertThat(word.enterShared(0, 2)).isEmpty();
        assertThat(word.enter(0, 3)).as("a writer meets a reader").hasValue(1);
        assertThat(word.enterShared(0, 4)).as("a reader meets the writer").hasValue(3);
        assertThat(word.overlaps()).isEqualTo(2);
    }

    @Test
    void whoHasSharedLeavesTheKeyFree() {
        word.enterShared(0, 1);
        word.enterShared(0, 2);
        assertThat(word.exitShared(0, 1)).isTrue();
        assertThat(word.exitShared(0, 1)).isFalse();
        assertThat(word.enter(0, 3)).hasValue(2);
        word.exit(0, 3);
        word.evict(id -> id == 2);
        assertThat(word.enter(0, 3)).isEmpty();
        assertThat(word.enter(1, 4)).isEmpty();
    }

    @Test
    void moreThanThereArePlacesForCantShare() {
        for (int id = 1; id <= 32; id++) {
            word.enterShared(3, id);
        }
        assertThatThrownBy(() -> word.enterShared(3, 33)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aKeyOutsideTheFileIsRefused() {
        assertThatThrownBy(() -> word.enter(KEYS, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
