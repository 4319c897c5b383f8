package io.distributedlock.testkit.check;

import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.Fault;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.OwnerHash;
import io.distributedlock.testkit.history.OwnerSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** A valid history of many locks and clients with faults, as a seed has it; each key's story is told on its own. */
final class RandomHistory {
    private static final int KEYS = 16;
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000 * MICRO;

    private final Random random;
    private final List<Event> events = new ArrayList<>();
    private final List<OwnerSample> samples = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private String key = "";
    private long now;
    private long sampledUntil;
    private long token;
    private int calls;

    private RandomHistory(long seed) {
        random = new Random(seed);
    }

    static History of(long seed, int events) {
        RandomHistory history = new RandomHistory(seed);
        for (int i = 0; i < KEYS; i++) {
            history.tell("key" + i, events * (i + 1) / KEYS);
        }
        return new History(history.events, history.samples, history.faults, Optional.empty());
    }

    private void tell(String name, int untilSize) {
        key = name;
        now = random.nextInt(1_000) * MICRO;
        sampledUntil = now;
        token = 0;
        while (events.size() < untilSize) {
            int dice = random.nextInt(1_000);
            if (dice < 20) {
                unknown();
            } else if (dice < 30) {
                lost();
            } else if (dice < 35) {
                killed();
            } else if (dice < 38) {
                flushed();
            } else {
                held();
            }
        }
    }

    /** Waits in vain while the hold lasts, now and then, and is granted at once otherwise. */
    private void held() {
        String hold = invoke(client(), now - random.nextInt(2_000) * MICRO);
        String owner = owner();
        long end = now + (2 + random.nextInt(30)) * MILLI;
        event(EventKind.GRANTED, hold, now + 50 * MICRO, ++token, owner);
        if (random.nextInt(20) == 0) {
            String refused = invoke(client(), now + 100 * MICRO);
            event(EventKind.HELD_BY_OTHER, refused, end - 200 * MICRO, 0, "");
        }
        event(EventKind.RELEASE_INVOKED, hold, end - 50 * MICRO, 0, "");
        event(EventKind.RELEASED, hold, end + 50 * MICRO, 0, "");
        inRedis(owner, end);
        inRedis("", end + (1 + random.nextInt(5)) * 100 * MICRO);
    }

    private void unknown() {
        String owner = owner();
        event(EventKind.UNKNOWN, invoke(client(), now), now + 50 * MILLI, 0, owner);
        inRedis(owner, now + random.nextInt(250) * MILLI);
        inRedis("", Math.max(now, sampledUntil) + 51 * MILLI);
    }

    private void lost() {
        String hold = invoke(client(), now);
        String owner = owner();
        event(EventKind.GRANTED, hold, now + 50 * MICRO, ++token, owner);
        long end = now + 300 * MILLI;
        events.add(new Event(EventKind.LOST, key, clientOf(hold), hold, end - 5 * MILLI, 0, "", "DEADLINE"));
        inRedis(owner, end);
        inRedis("", end + MILLI);
    }

    private void killed() {
        String client = "killed" + calls + "/t";
        String hold = invoke(client, now);
        String owner = owner();
        event(EventKind.GRANTED, hold, now + 50 * MICRO, ++token, owner);
        long kill = now + 10 * MILLI;
        events.add(new Event(EventKind.CLIENT_KILLED, "", Event.processOf(client), "", kill, 0, "", ""));
        inRedis(owner, kill + random.nextInt(2_000) * MILLI);
        inRedis("", Math.max(kill, now) + MILLI);
    }

    /** The lock is forgotten in the middle of a hold and given to another client. */
    private void flushed() {
        String hold = invoke(client(), now);
        String owner = owner();
        event(EventKind.GRANTED, hold, now + 50 * MICRO, ++token, owner);
        long flush = now + 20 * MILLI;
        faults.add(new Fault("flush", Set.of(Effect.STATE_DESTROYED), "", flush - MILLI, flush + MILLI));
        long told = flush + 200 * MILLI;
        events.add(new Event(EventKind.LOST, key, clientOf(hold), hold, told, 0, "", "NOT_OWNER"));
        inRedis(owner, flush);
        inRedis("", flush + 2 * MILLI);
        held();
        now = Math.max(now, told + MILLI);
    }

    /** Tells what samples of each five milliseconds see from the last to this instant, and goes there. */
    private void inRedis(String owner, long until) {
        for (; sampledUntil < until; sampledUntil += 5 * MILLI) {
            if (sampledUntil >= now) {
                samples.add(new OwnerSample(
                        key,
                        sampledUntil,
                        sampledUntil + 30 * MICRO,
                        owner,
                        Duration.ofSeconds(owner.isEmpty() ? 0 : 1)));
            }
        }
        now = Math.max(now, until);
    }

    private String invoke(String client, long at) {
        String hold = client + "#" + calls++;
        events.add(new Event(EventKind.INVOKE, key, client, hold, at, 5_000, "", ""));
        return hold;
    }

    private void event(EventKind kind, String hold, long at, long value, String owner) {
        events.add(new Event(kind, key, clientOf(hold), hold, at, value, owner, ""));
    }

    private String client() {
        return "p" + random.nextInt(8) + "/t" + random.nextInt(50);
    }

    private String owner() {
        return OwnerHash.of("owner " + calls);
    }

    private static String clientOf(String hold) {
        return hold.substring(0, hold.indexOf('#'));
    }
}
