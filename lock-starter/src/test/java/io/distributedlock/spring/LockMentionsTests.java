package io.distributedlock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockMentionsTests {

    private final LockMentions mentions = new LockMentions();

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnClass.class,
                OnMethod.class,
                Twice.class,
                ThroughAnother.class,
                ThroughSeveral.class,
                OnInterface.class,
                Implementing.class,
                Extending.class,
                Hidden.class
            })
    void whereverTheAnnotationCanStandItIsNoticed(Class<?> type) {
        assertThat(mentions.areIn(type)).isTrue();
        assertThat(mentions.areIn(type)).as("at the second question").isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {Object.class, ArrayList.class, Plain.class, Runnable.class, LockMentions.class})
    void whatHasNothingToDoWithLocksIsPassedOver(Class<?> type) {
        assertThat(mentions.areIn(type)).isFalse();
    }

    @DistributedLock(key = "'a'")
    static class OnClass {}

    static class OnMethod {
        @DistributedLock(key = "'a'")
        void locked() {}
    }

    static class Twice {
        @DistributedLock(key = "'a'")
        @DistributedLock(key = "'b'")
        void locked() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(key = "'a'")
    @interface Nightly {}

    @Retention(RetentionPolicy.RUNTIME)
    @Nightly
    @interface Weekly {}

    static class ThroughAnother {
        @Weekly
        void locked() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Shifts.class)
    @DistributedLock(key = "'a'")
    @interface Shift {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface Shifts {
        Shift[] value();
    }

    static class ThroughSeveral {
        @Shift
        @Shift
        void locked() {}
    }

    interface OnInterface {
        @DistributedLock(key = "'a'")
        void locked();
    }

    static class Implementing implements OnInterface {
        @Override
        public void locked() {}
    }

    static class Extending extends Implementing {}

    static class Hidden {
        @DistributedLock(key = "'a'")
        private static void locked() {}
    }

    @Deprecated
    static class Plain extends ArrayList<String> implements Runnable {
        @Override
        @Deprecated
        public void run() {}
    }
}
