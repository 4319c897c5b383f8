package com.example.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockContext;
import io.distributedlock.spring.DistributedLock;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** What the keys that people write lock. */
class KeyTests {

    private static final UUID ID = UUID.fromString("0b0bfe6c-5d5c-4d8c-9b3a-2a8f6b0c3f11");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    enum Region {
        NORTH
    }

    static class Keys {

        @DistributedLock("#id")
        public List<String> number(long id) {
            return held();
        }

        @DistributedLock("#a + ':' + #b")
        public List<String> joined(long a, long b) {
            return held();
        }

        @DistributedLock({"#a", "#b"})
        public List<String> several(long a, long b) {
            return held();
        }

        @DistributedLock(name = "nightly")
        public List<String> nameOnly() {
            return held();
        }

        @DistributedLock("'constant'")
        public List<String> constant() {
            return held();
        }

        @DistributedLock("#region")
        public List<String> anEnum(Region region) {
            return held();
        }

        @DistributedLock("#day")
        public List<String> day(LocalDate day) {
            return held();
        }

        @DistributedLock("#id")
        public List<String> uuid(UUID id) {
            return held();
        }

        @DistributedLock("#text")
        public List<String> text(String text) {
            return held();
        }

        @DistributedLock("#ids")
        public List<String> collection(List<Long> ids) {
            return held();
        }

        @DistributedLock("#bytes")
        public List<String> bytes(byte[] bytes) {
            return held();
        }

        @DistributedLock("#date")
        public List<String> date(Date date) {
            return held();
        }

        private static List<String> held() {
            return LockContext.current().stream()
                    .flatMap(lock -> lock.parts().stream())
                    .map(lock -> lock.key().isEmpty() ? lock.name() : lock.name() + ':' + lock.key())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void eachKeyLocksWhatItSays() {
        new ApplicationContextRunner()
                .withUserConfiguration(Shop.class, Keys.class)
                .withPropertyValues("distributed-lock.store=memory")
                .run(context -> {
                    Keys keys = context.getBean(Keys.class);
                    assertThat(keys.number(42)).containsExactly("Keys.number:42");
                    assertThat(keys.joined(1, 2)).containsExactly("Keys.joined:1:2");
                    assertThat(keys.several(1, 2)).containsExactly("Keys.several:1", "Keys.several:2");
                    assertThat(keys.nameOnly()).containsExactly("nightly");
                    assertThat(keys.constant()).containsExactly("Keys.constant:constant");
                    assertThat(keys.anEnum(Region.NORTH)).containsExactly("Keys.anEnum:NORTH");
                    assertThat(keys.day(LocalDate.of(2026, 11, 23))).containsExactly("Keys.day:2026-11-23");
                    assertThat(keys.uuid(ID)).containsExactly("Keys.uuid:" + ID);
                    assertThat(keys.text("订单 7")).singleElement().asString().startsWith("Keys.text:");
                    assertThat(keys.collection(List.of(3L, 4L)))
                            .containsExactly("Keys.collection:3", "Keys.collection:4");
                    assertRefused(() -> keys.bytes(new byte[] {1}), "byte[]");
                    assertRefused(() -> keys.date(new Date()), "Date");
                    assertRefused(() -> keys.text(null), "null");
                    assertRefused(() -> keys.text(" "), "blank");
                });
    }

    private static void assertRefused(Runnable call, String problem) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem)
                .hasMessageContaining("no lock was taken");
    }
}
