package io.distributedlock.redis.server;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.redis.script.RedisReplies;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Which of the scripts the server accepts, where there is a lesser one that does without what a proxy may forbid in
 * scripts: messages and keys that are not literally {@code KEYS[n]}. The better one is used until it has been refused
 * {@value #CERTAIN} times in a row while the lesser one was accepted, because a proxy may have a moment's trouble; and
 * again from the next connection on, which may lead to another server. What is missing is warned of once.
 */
public final class AcceptedScripts {

    /** After so many refusals it is no accident. */
    public static final int CERTAIN = 3;

    /** Scripts that look at the queue of a lock and send messages to those who wait. */
    private final Kind queueing = new Kind("Waiters are not notified at this Redis, so they poll: a lock that was"
            + " released is acquired up to 160 ms later, and not in the order of arrival");
    /** Scripts that extend many locks. */
    private final Kind batches = new Kind("This Redis accepts no scripts about many locks, so each lock is renewed by a"
            + " script of its own, which costs more");

    public void forget() {
        queueing.refusals.set(0);
        batches.refusals.set(0);
    }

    /** Whether something was refused that is still sent, because it may have been an accident. */
    public boolean areInDoubt() {
        return queueing.isInDoubt() || batches.isInDoubt();
    }

    /** What is chosen, for people: see {@link io.distributedlock.spi.LockInspection#description()}. */
    public Map<String, String> description(String server, String release, boolean queues) {
        return description(server, queueing.isRefused() ? "without messages" : "all", release, queues);
    }

    public static Map<String, String> description(String server, String scripts, String release, boolean queues) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("server", server);
        all.put("scripts", scripts);
        all.put("release", release);
        all.put("waiters", queues ? "queue" : "polling");
        return Collections.unmodifiableMap(all);
    }

    public Kind queueing() {
        return queueing;
    }

    public Kind batches() {
        return batches;
    }

    /** Scripts that are accepted or refused together. */
    public static final class Kind {

        private final AtomicInteger refusals = new AtomicInteger();
        private final AtomicBoolean warned = new AtomicBoolean();
        private final String missing;

        Kind(String missing) {
            this.missing = missing;
        }

        public boolean isRefused() {
            return refusals.get() >= CERTAIN;
        }

        private boolean isInDoubt() {
            return refusals.get() > 0 && !isRefused();
        }

        /**
         * The answer of the better script; or that of the lesser one if the better one is not accepted. Both have to be
         * safe to repeat.
         */
        public <T> CompletionStage<T> orElse(Supplier<CompletionStage<T>> better, Supplier<CompletionStage<T>> lesser) {
            if (isRefused()) {
                return lesser.get();
            }
            return better.get()
                    .thenApply(this::accept)
                    .exceptionallyCompose(failure -> RedisReplies.isForbidden(failure)
                            ? lesser.get().thenApply(answer -> refuse(answer, failure))
                            : CompletableFuture.failedFuture(failure));
        }

        private <T> T accept(T answer) {
            if (refusals.get() > 0) {
                refusals.set(0);
            }
            return answer;
        }

        private <T> T refuse(T answer, Throwable failure) {
            if (refusals.incrementAndGet() >= CERTAIN) {
                warn("it answers: " + RedisReplies.errorOf(failure).orElse(""));
            }
            return answer;
        }

        /** Once; a reason ends without a full stop. */
        public void warn(String reason) {
            if (warned.compareAndSet(false, true)) {
                Warnings.write(
                        AcceptedScripts.class,
                        missing + ". Behind a proxy of Alibaba or Tair the parameter script_check_enable=0 changes"
                                + " that; for others see docs/where-your-redis-is.md. The reason: " + reason);
            }
        }
    }
}
