package com.example.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockedJob;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What the application's developer reads when a value is wrong, a lock is refused, or a lock is lost. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class MessagesTests {

    static class Work {

        private final AtomicInteger jobs = new AtomicInteger();

        @DistributedLock(name = "short", ttl = "300ms")
        public void outlivesItsLock() throws InterruptedException {
            Thread.sleep(900);
        }

        @DistributedLock(name = "each", key = "#ids")
        public void forEach(List<@Nullable Long> ids) {}

        @LockedJob(name = "nightly", minHold = "5s")
        public void nightly() {
            jobs.incrementAndGet();
        }

        public int jobs() {
            return jobs.get();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "distributed-lock.ttl=abc       | abc | is not a valid duration",
                "distributed-lock.ttl=5 s       | 5 s | is not a valid duration",
                "distributed-lock.ttl=30        | 30ms | write the unit",
                "distributed-lock.store=reddis  | reddis | MEMORY",
                "distributed-lock.wait-time=-1s | -1  | 0",
            })
    void aWrongValueStopsTheStartAndIsNamedWithAnExample(
            String property, String value, String advice, CapturedOutput log) {
        assertThatThrownBy(() -> start("--" + property)).isInstanceOf(Exception.class);
        assertThat(log)
                .contains("APPLICATION FAILED TO START", property.replaceFirst("=.*", ""), value, advice)
                .doesNotContain("\tat ");
    }

    @Test
    void aShortTtlNeedsNoOtherSetting() {
        try (ConfigurableApplicationContext shop = start("--distributed-lock.ttl=2s")) {
            assertThat(shop.isRunning()).isTrue();
        }
    }

    @Test
    void aLostLockIsExplainedByWhatHappened() {
        try (ConfigurableApplicationContext shop = start()) {
            assertThatThrownBy(() -> shop.getBean(Work.class).outlivesItsLock())
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContainingAll("'short'", "ttl of 300 ms", "renewed");
        }
    }

    @Test
    void aRefusalNamesTheHolderWithinTheProcessAndForHowLong() {
        try (ConfigurableApplicationContext shop = start();
                LockHandle held = shop.getBean(LockClient.class).acquire(LockRequest.of("orders", 7))) {
            assertThat(held.isHeld()).isTrue();
            CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(() -> shop.getBean(LockClient.class)
                    .acquire(LockRequest.of("orders", 7).withWaitTime(Duration.ZERO)));
            assertThatThrownBy(elsewhere::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContainingAll(
                            "'orders:7'", Thread.currentThread().getName(), " ms");
        }
    }

    @Test
    void aListOfKeysWithoutAValueIsRefusedWithTheReason() {
        try (ConfigurableApplicationContext shop = start()) {
            Work work = shop.getBean(Work.class);
            assertThatThrownBy(() -> work.forEach(List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("#ids", "has no value, so that nothing would be locked");
            assertThatThrownBy(() -> work.forEach(Arrays.asList(1L, null)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("#ids", "null");
        }
    }

    @Test
    void aScheduledJobRunsOnOneOfTwoServers() throws Exception {
        try (LocalRedis redis = LocalRedis.start();
                ConfigurableApplicationContext one = startOn(redis);
                ConfigurableApplicationContext other = startOn(redis)) {
            one.getBean(Work.class).nightly();
            other.getBean(Work.class).nightly();
            assertThat(one.getBean(Work.class).jobs()
                            + other.getBean(Work.class).jobs())
                    .isOne();
        }
    }

    @Test
    void theTemplateCanBeMocked() {
        LockTemplate locks = mock(LockTemplate.class);
        when(locks.tryRun(eq("nightly"), any())).thenReturn(true);
        assertThat(locks.tryRun("nightly", lock -> {})).isTrue();
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        return run(arguments, "--distributed-lock.store=memory");
    }

    private static ConfigurableApplicationContext startOn(LocalRedis redis) {
        return run(new String[] {"--spring.data.redis.port=" + redis.port()}, "--spring.application.name=outside");
    }

    /** The first argument that names a property counts. */
    private static ConfigurableApplicationContext run(String[] arguments, String preset) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        boolean isSet = Arrays.stream(arguments).anyMatch(each -> each.startsWith(preset.replaceFirst("=.*", "=")));
        all[arguments.length] = isSet ? "--spring.main.banner-mode=off" : preset;
        return new SpringApplicationBuilder(OutsideApplication.class, Work.class)
                .web(WebApplicationType.NONE)
                .run(all);
    }
}
