package com.example.outside;

import io.distributedlock.LockMode;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.FencingToken;
import io.distributedlock.spring.LockedJob;
import io.distributedlock.spring.OnRefusal;
import io.distributedlock.spring.autoconfigure.DistributedLockAutoConfiguration;
import jakarta.annotation.PostConstruct;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** What people write by mistake, each in a bean of its own. */
final class Mistakes {

    private Mistakes() {}

    record Request(long userId) {}

    static class BareParameter {
        @DistributedLock(key = "userId")
        public void pay(long userId) {}
    }

    static class MistypedParameter {
        @DistributedLock(key = "#userid")
        public void pay(long userId) {}
    }

    static class BrokenExpression {
        @DistributedLock(key = "'order:' #userId")
        public void pay(long userId) {}
    }

    static class UnknownBean {
        @DistributedLock(key = "@regions.current() + ':' + #userId")
        public void pay(long userId) {}
    }

    static class NoKey {
        @DistributedLock
        public void pay(long userId) {}
    }

    static class SpelledOutDuration {
        @DistributedLock(key = "#userId", ttl = "10 seconds")
        public void pay(long userId) {}
    }

    static class DurationWithoutUnit {
        @DistributedLock(key = "#userId", ttl = "30")
        public void pay(long userId) {}
    }

    static class UnknownPolicy {
        @DistributedLock(key = "#userId", policy = "databse")
        public void pay(long userId) {}
    }

    static class UnknownHandler {
        @DistributedLock(key = "#userId", handler = "busy")
        public void pay(long userId) {}
    }

    static class SegmentsWithoutValue {
        @DistributedLock(key = "#item", segments = 8)
        public void sell(long item) {}
    }

    static class TokenOfTwoLocks {
        @DistributedLock(key = {"#from", "#to"})
        public void move(long from, long to, @FencingToken long token) {}
    }

    static class BrokenCondition {
        @DistributedLock(key = "#userId", condition = "#amount >")
        public void pay(long userId, long amount) {}
    }

    static class SkippedPrimitive {
        @DistributedLock(key = "#userId", onRefusal = OnRefusal.SKIP)
        public int pay(long userId) {
            return 1;
        }
    }

    static class PlainFuture {
        @DistributedLock(key = "#userId")
        public Future<String> pay(long userId) {
            return CompletableFuture.completedFuture("");
        }
    }

    static class UnquotedWord {
        @DistributedLock(key = "nightly")
        public void report() {}
    }

    static class UnquotedWords {
        @DistributedLock(key = "nightly-report")
        public void report() {}
    }

    static class Template {
        @DistributedLock(key = "#{#userId}")
        public void pay(long userId) {}
    }

    static class Placeholder {
        @DistributedLock(key = "${spring.application.name} + #userId")
        public void pay(long userId) {}
    }

    static class QuotedPlaceholder {
        @DistributedLock(key = "'${spring.application.name}'")
        public void report() {}
    }

    static class MistypedProperty {
        @DistributedLock(key = "#request.usrId")
        public void pay(Request request) {}
    }

    static class PrivateMethod {
        @DistributedLock(key = "#userId")
        private void pay(long userId) {}
    }

    static class StaticMethod {
        @DistributedLock(key = "#userId")
        public static void pay(long userId) {}
    }

    static class FinalMethod {
        @DistributedLock(key = "#userId")
        public final void pay(long userId) {}
    }

    static class LateStream {
        @DistributedLock(key = "#userId")
        public Stream<String> read(long userId) {
            return Stream.of();
        }
    }

    static class LateCallable {
        @DistributedLock(key = "#userId")
        public Callable<String> read(long userId) {
            return () -> "";
        }
    }

    static class LateResponse {
        @DistributedLock(key = "#userId")
        public StreamingResponseBody read(long userId) {
            return out -> {};
        }
    }

    static class Sum {
        @DistributedLock(key = "#from + #to")
        public void move(long from, long to) {}
    }

    static final class FinalClass {
        @DistributedLock(key = "#userId")
        public void pay(long userId) {}
    }

    interface Payments {
        void pay(long userId);
    }

    static final class FinalClassWithInterface implements Payments {
        @Override
        @DistributedLock(key = "#userId")
        public void pay(long userId) {}
    }

    static class SharedWithMinimum {
        @DistributedLock(key = "#userId", mode = LockMode.SHARED, minHold = "1s")
        public void read(long userId) {}
    }

    static class MissingProperty {
        @DistributedLock(key = "#userId", ttl = "${pay.ttl}")
        public void pay(long userId) {}
    }

    @EnableScheduling
    static class WaitingJob {
        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock("'job'")
        public void run() {}
    }

    static class ProperJob {
        @Scheduled(cron = "0 0 3 * * *")
        @LockedJob(name = "nightly", minHold = "5m")
        public void run() {}
    }

    static class EarlyCall {
        @PostConstruct
        @DistributedLock("'cache'")
        public void load() {}
    }

    /** No {@code @Configuration}, so that no other application finds it by scanning this package. */
    @EnableAutoConfiguration(exclude = DistributedLockAutoConfiguration.class)
    static class WithoutLocks {}
}
