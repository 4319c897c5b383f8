package io.distributedlock.simulation.network;

import io.distributedlock.simulation.clock.Timeline;
import io.distributedlock.simulation.server.Keyspace;
import io.distributedlock.simulation.server.ServerKind;
import io.distributedlock.simulation.server.Session;
import io.distributedlock.simulation.server.SimulatedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Where the server runs: it can stall, end and come back, and its clock can be set. */
public final class ServerHost {

    /** The year 2026, in microseconds. */
    private static final long EPOCH = 1_770_000_000_000_000L;

    private final Map<Session, List<byte[]>> inbox = new LinkedHashMap<>();
    private final Timeline timeline;
    private final Random dice;
    private final SimulatedRedis redis;
    private final List<Link> links = new ArrayList<>();
    private long aheadMicros;
    private long stalledUntil;
    private long downUntil;
    private @Nullable Keyspace replica;

    public ServerHost(Timeline timeline, Random dice, ServerKind kind) {
        this.timeline = timeline;
        this.dice = dice;
        this.redis = new SimulatedRedis(kind, () -> EPOCH + aheadMicros + timeline.now() / 1_000);
    }

    public SimulatedRedis redis() {
        return redis;
    }

    void reachedBy(Link link) {
        links.add(link);
    }

    public boolean isUp() {
        return timeline.now() >= downUntil && !isStalled();
    }

    private boolean isStalled() {
        return timeline.now() < stalledUntil;
    }

    boolean accepts() {
        return timeline.now() >= downUntil;
    }

    /** A part of a stream arrives. */
    void arrive(Session session, byte[] bytes) {
        if (session.isClosed()) {
            return;
        }
        if (isStalled()) {
            inbox.computeIfAbsent(session, fresh -> new ArrayList<>()).add(bytes);
        } else {
            session.receive(bytes);
        }
    }

    /** It executes nothing for a time; then what has arrived, connection by connection in any order. */
    public void stall(Duration time) {
        stalledUntil = Math.max(stalledUntil, timeline.now() + time.toNanos());
        timeline.at(stalledUntil, this::goOn);
    }

    private void goOn() {
        while (!isStalled() && !inbox.isEmpty()) {
            List<Session> waiting = new ArrayList<>(inbox.keySet());
            Session next = waiting.get(dice.nextInt(waiting.size()));
            List<byte[]> parts = inbox.getOrDefault(next, List.of());
            if (!parts.isEmpty()) {
                next.receive(parts.remove(0));
            }
            if (parts.isEmpty()) {
                inbox.remove(next);
            }
        }
    }

    public void setClock(Duration by) {
        aheadMicros += by.toNanos() / 1_000;
    }

    /** Microseconds by its clock. */
    public long clockMicros() {
        return EPOCH + aheadMicros + timeline.now() / 1_000;
    }

    public void restart(boolean empty, Duration downFor) {
        goDown(downFor);
        if (empty) {
            redis.restartEmpty();
        } else {
            redis.restart();
        }
    }

    /** From now on the replica receives nothing any more. */
    public void stopReplication() {
        if (replica == null) {
            replica = redis.replica();
        }
    }

    /** The replica takes the server's place, with what it has received. */
    public void failOver(Duration downFor) {
        Keyspace data = replica == null ? redis.replica() : replica;
        replica = null;
        goDown(downFor);
        redis.replaceBy(data);
    }

    private void goDown(Duration time) {
        downUntil = Math.max(downUntil, timeline.now() + time.toNanos());
        inbox.clear();
        stalledUntil = 0;
        links.forEach(Link::reset);
    }
}
