package io.distributedlock.simulation.network;

import io.distributedlock.redis.LockClientOptions;
import io.distributedlock.simulation.clock.SimulatedProcess;
import io.distributedlock.simulation.clock.Timeline;
import io.distributedlock.simulation.server.Session;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.DriverParts;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandEncoder;
import io.lettuce.core.protocol.ConnectionInitializer;
import io.lettuce.core.pubsub.PubSubCommandHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Random;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The way between a process and the server. It carries one connection after the other; when one has ended, the driver
 * opens the next after a pause, as it does on a real network.
 */
public final class Link {

    private static final long USUAL_NANOS = 350_000;
    private static final Duration UNRESOLVED = Duration.ofMillis(3_000);

    private final SimulatedProcess process;
    private final Timeline timeline;
    private final Random dice;
    private final ServerHost host;
    private final String name;
    private LongConsumer late = arrival -> {};
    private double trouble;
    private @Nullable SimulatedChannel channel;
    private @Nullable Session session;
    private @Nullable PubSubEndpoint<String, String> endpoint;
    private @Nullable StatefulRedisPubSubConnectionImpl<String, String> connection;
    private @Nullable ClientResources resources;
    private @Nullable ClientOptions options;
    private long lastRequest;
    private long lastReply;
    private long blockedUntil;
    private long openedAt;
    private int opened;

    public Link(SimulatedProcess process, Timeline timeline, Random dice, ServerHost host, String name) {
        this.process = process;
        this.timeline = timeline;
        this.dice = dice;
        this.host = host;
        this.name = name;
        host.reachedBy(this);
        process.afterEach(this::settle);
    }

    /** @param probability of a message that is late, between 0 and 1 */
    public void trouble(double probability) {
        trouble = probability;
    }

    /** @param late gets, for a request that is late, the instant at which it will arrive, when it is sent */
    public void whenRequestIsLate(LongConsumer late) {
        this.late = late;
    }

    /** Whether it is open, and nothing delays what it carries. */
    public boolean isCalm() {
        return connection != null
                && connection.isOpen()
                && channel != null
                && channel.isActive()
                && timeline.now() >= blockedUntil;
    }

    /** When the present connection was opened, or the last one. */
    public long openedAt() {
        return openedAt;
    }

    /** Whether a message is on its way: what was asked may have had no effect yet, although a timeout has ended it. */
    public boolean isBehind() {
        return lastRequest > timeline.now() || lastReply > timeline.now();
    }

    StatefulRedisPubSubConnectionImpl<String, String> open(LockClientOptions safe, ClientResources base) {
        resources = safe.resources(base);
        // The driver's index of what is under way is by identity, which has no order that a seed repeats. A copy of
        // options forgets that it is switched off.
        options = safe.options(ClientOptions.create())
                .mutate()
                .useHashIndexQueue(false)
                .build();
        PubSubEndpoint<String, String> fresh = new PubSubEndpoint<>(options, resources);
        endpoint = fresh;
        StatefulRedisPubSubConnectionImpl<String, String> opening =
                new StatefulRedisPubSubConnectionImpl<>(fresh, fresh, StringCodec.UTF8, Duration.ofMinutes(1));
        connection = opening;
        fresh.setConnectionFacade(opening);
        opening.setOptions(options);
        connect();
        return opening;
    }

    @Nullable
    ClientResources resources() {
        return resources;
    }

    private void connect() {
        StatefulRedisPubSubConnectionImpl<String, String> served = connection;
        if (served == null || endpoint == null || options == null || resources == null || process.isEnded()) {
            return;
        }
        if (!host.accepts() || timeline.now() < blockedUntil) {
            reconnect();
            return;
        }
        opened++;
        openedAt = timeline.now();
        lastRequest = 0;
        lastReply = 0;
        ConnectionInitializer handshake = DriverParts.handshake(served);
        SimulatedChannel fresh = new SimulatedChannel(
                process,
                bytes -> {},
                new CommandEncoder(),
                new Handshake(handshake),
                new PubSubCommandHandler<>(options, resources, StringCodec.UTF8, endpoint),
                DriverParts.events(served));
        Session accepted = host.redis().open("10.0.0." + name + ":" + (1_000 + opened), bytes -> reply(fresh, bytes));
        fresh.sendTo(bytes -> request(accepted, bytes));
        fresh.whenClosed(() -> closed(fresh, accepted));
        channel = fresh;
        session = accepted;
        fresh.open(resources.nettyCustomizer());
        settle();
    }

    /** Between 10 and 100 ms, as the driver's settings say. */
    private void reconnect() {
        process.after(Duration.ofMillis(10 + dice.nextInt(90)), this::connect);
    }

    private void closed(SimulatedChannel ended, Session left) {
        if (channel == ended) {
            channel = null;
            leave(left);
            reconnect();
        }
    }

    /** What is under way is lost, or is executed all the same, late. The server may not notice the end for long. */
    private void leave(Session left) {
        if (dice.nextInt(3) == 0) {
            left.close();
        } else {
            timeline.after(1 + (long) (dice.nextDouble() * UNRESOLVED.toNanos()), left::close);
        }
    }

    private long latency() {
        long nanos = 50_000 + dice.nextInt((int) USUAL_NANOS - 50_000);
        return trouble > 0 && dice.nextDouble() < trouble ? nanos + dice.nextInt(1_500) * 1_000_000L : nanos;
    }

    private void request(Session to, byte[] bytes) {
        long latency = latency();
        if (latency > USUAL_NANOS) {
            late.accept(timeline.now() + latency);
        }
        lastRequest = Math.max(lastRequest, Math.max(blockedUntil, timeline.now() + latency));
        timeline.at(lastRequest, () -> host.arrive(to, bytes));
    }

    private void reply(SimulatedChannel to, byte[] bytes) {
        lastReply = Math.max(lastReply, Math.max(blockedUntil, timeline.now() + latency()));
        timeline.at(lastReply, () -> process.run(() -> to.receive(bytes)));
    }

    /** Nothing gets through for a time, in neither direction; then all of it. */
    public void block(Duration time) {
        blockedUntil = Math.max(blockedUntil, timeline.now() + time.toNanos());
        lastRequest = Math.max(lastRequest, blockedUntil);
        lastReply = Math.max(lastReply, blockedUntil);
    }

    /** Replies that are sent from now on are late. */
    public void delayReplies(Duration time) {
        lastReply = Math.max(lastReply, timeline.now() + time.toNanos());
    }

    /** Requests that are sent from now on are late. */
    public void delayRequests(Duration time) {
        lastRequest = Math.max(lastRequest, timeline.now() + time.toNanos());
    }

    /** Ends the connection: what the server has not answered yet stays without an answer. */
    public void cut() {
        SimulatedChannel present = channel;
        if (present != null) {
            process.run(present::close);
        }
    }

    /** The server has ended; connections end at once. */
    void reset() {
        cut();
    }

    /** The process was killed: its connections end. */
    public void drop() {
        Session present = session;
        if (present != null) {
            leave(present);
        }
    }

    /** Runs what the channel has to do, and plans what it has to do later. */
    private void settle() {
        SimulatedChannel present = channel;
        if (present != null) {
            present.settle();
        }
    }
}
