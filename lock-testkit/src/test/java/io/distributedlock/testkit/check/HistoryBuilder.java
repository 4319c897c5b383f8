package io.distributedlock.testkit.check;

import io.distributedlock.testkit.history.CallTerms;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.Fault;
import io.distributedlock.testkit.history.FinalState;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.history.OwnerSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A history made by hand, in milliseconds, about the lock "k" unless it says otherwise. */
public final class HistoryBuilder {
    public static final Limits LIMITS = new Limits(
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            Duration.ofMillis(250),
            Duration.ofMillis(2_000),
            Duration.ofMillis(3_000),
            Duration.ofMillis(1_000),
            Duration.ZERO,
            Duration.ofMillis(50));

    private final List<Event> events = new ArrayList<>();
    private final List<OwnerSample> samples = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private Optional<FinalState> rest = Optional.empty();
    private int calls;

    /** One call, told step by step. */
    public final class Telling {
        private final String client;
        private final String key;
        private final String hold;
        private final String owner;

        private Telling(String client, String key, String owner) {
            this.client = client;
            this.key = key;
            this.owner = owner;
            this.hold = client + "#" + ++calls;
        }

        public Telling then(EventKind kind, long millis, long value, String detail) {
            String hash = kind.isOutcome() ? owner : "";
            events.add(new Event(kind, key, client, hold, nanos(millis), value, hash, detail));
            return this;
        }

        public Telling then(EventKind kind, long millis) {
            return then(kind, millis, 0, "");
        }

        public Telling granted(long millis, long token) {
            return then(EventKind.GRANTED, millis, token, "");
        }

        public Telling released(long invoked, long returned) {
            return then(EventKind.RELEASE_INVOKED, invoked).then(EventKind.RELEASED, returned);
        }

        public Telling lost(long millis, String reason) {
            return then(EventKind.LOST, millis, 0, reason);
        }
    }

    /** A call that begins at this time and whose owner is eight times this letter. */
    public Telling call(String client, long millis, String letter) {
        return call(client, "k", millis, 0, letter);
    }

    public Telling call(String client, String key, long millis, long waitMillis, String letter) {
        return new Telling(client, key, letter.repeat(8)).then(EventKind.INVOKE, millis, waitMillis, "");
    }

    /** A call for a share that tries once. */
    public Telling reader(String client, long millis, String letter) {
        return call(client, "k", millis, 0, letter, CallTerms.SHARED);
    }

    public Telling call(String client, String key, long millis, long waitMillis, String letter, CallTerms terms) {
        return new Telling(client, key, letter.repeat(8)).then(EventKind.INVOKE, millis, waitMillis, terms.text());
    }

    /** The lock is shared by these owners, a letter for each, in Redis at this time. */
    public HistoryBuilder shares(long millis, String letters, long remainingMillis) {
        Map<String, Duration> shares = letters.chars()
                .mapToObj(Character::toString)
                .collect(Collectors.toMap(letter -> letter.repeat(8), letter -> Duration.ofMillis(remainingMillis)));
        long begin = nanos(millis);
        samples.add(new OwnerSample("k", begin, begin + 1_000, "", Duration.ZERO, shares));
        return this;
    }

    /** Redis has this owner, or none if the letter is empty, at this time. */
    public HistoryBuilder sample(long millis, String letter, long remainingMillis) {
        long begin = nanos(millis);
        samples.add(new OwnerSample("k", begin, begin + 1_000, letter.repeat(8), Duration.ofMillis(remainingMillis)));
        return this;
    }

    /** Redis has this owner at all times from one to another, looked at every ten milliseconds. */
    public HistoryBuilder samples(long from, long to, String letter, long remainingMillis) {
        for (long at = from; at <= to; at += 10) {
            sample(at, letter, remainingMillis);
        }
        return this;
    }

    public HistoryBuilder fault(long begin, long end, String process, Effect... effects) {
        faults.add(new Fault("a fault", Set.of(effects), process, nanos(begin), nanos(end)));
        return this;
    }

    public HistoryBuilder killed(String process, long millis) {
        events.add(new Event(EventKind.CLIENT_KILLED, "", process, "", nanos(millis), 0, "", ""));
        return this;
    }

    HistoryBuilder rest(FinalState left) {
        rest = Optional.of(left);
        return this;
    }

    public History history() {
        return new History(events, samples, faults, rest);
    }

    List<Violation> violations() {
        return HistoryChecker.check(history(), LIMITS);
    }

    /** The numbers of the invariants that are breached, once for each breach. */
    List<String> breaches() {
        return violations().stream()
                .map(violation -> violation.invariant().split(" ")[0])
                .toList();
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
