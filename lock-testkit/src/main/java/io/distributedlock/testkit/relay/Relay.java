package io.distributedlock.testkit.relay;

import io.distributedlock.testkit.process.ReservedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A TCP relay on the loopback interface in front of one server, which disturbs the traffic as a network could.
 *
 * <p>Bytes are kept or delayed, and thrown away only together with their connection; a stream with a hole in it, which
 * TCP can't produce, does not occur. A method returns when its wish is in force. Requests are cut into whole commands,
 * so a command is kept or delivered as one. All relaying is done by one daemon thread.
 */
public final class Relay implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 1_000;
    private static final int BACKLOG = 1_024;
    private static final int BIND_TRIES = 20;

    private final InetSocketAddress target;
    private final Supplier<Traffic> traffic;
    private final RelayLoop loop;
    private final ServerSocketChannel listener;
    private final List<RelayConnection> connections = new ArrayList<>();
    private final Set<Direction> held = EnumSet.noneOf(Direction.class);
    private final Map<Direction, Duration> delays = new EnumMap<>(Direction.class);
    private final HoldTriggers triggers = new HoldTriggers();
    private boolean refusing;

    private Relay(int targetPort, Supplier<Traffic> traffic) throws IOException {
        this.target = new InetSocketAddress("127.0.0.1", targetPort);
        this.traffic = traffic;
        this.listener = listen();
        this.loop = new RelayLoop("testkit-relay-" + port(), this::flush);
        loop.register(listener, SelectionKey.OP_ACCEPT, this::accept);
        loop.start();
    }

    /** Starts a relay to the server on this port of 127.0.0.1; the server need not be there yet. */
    public static Relay to(int port) {
        return to(port, Traffic::unchanged);
    }

    public static Relay to(int port, Supplier<Traffic> traffic) {
        try {
            return new Relay(port, traffic);
        } catch (IOException e) {
            throw new UncheckedIOException("no relay to port " + port, e);
        }
    }

    /** The port on 127.0.0.1 at which clients reach the server through this relay. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    /** The address in the form {@code redis://127.0.0.1:port}. */
    public String uri() {
        return "redis://127.0.0.1:" + port();
    }

    /**
     * Keeps all bytes read from now on in this direction, on present and future connections; ends of streams as well.
     */
    public void hold(Direction direction) {
        loop.run(() -> setHeld(direction, true));
    }

    /** Delivers what was kept, in order, and lets this direction flow again on all connections. */
    public void deliver(Direction direction) {
        loop.run(() -> setHeld(direction, false));
    }

    /**
     * Holds the direction on all connections as soon as a matching request comes by: before that request is forwarded,
     * so a hold of {@link Direction#REQUESTS} keeps it too, and a hold of {@link Direction#REPLIES} surely keeps its
     * reply. Works once; cancelling the result withdraws it.
     *
     * @param request is given the words of a command joined by spaces, on the relay's thread
     * @return completed with the request's connection after the request was forwarded or kept
     */
    public CompletableFuture<RelayConnection> holdWhen(Direction direction, Predicate<String> request) {
        return loop.call(() -> triggers.add(request, connection -> setHeld(direction, true)));
    }

    /** Delivers each byte read from now on only after this time; zero ends that. */
    public void delay(Direction direction, Duration delay) {
        loop.run(() -> {
            delays.put(direction, delay);
            connections.forEach(each -> each.delay(direction, delay));
        });
    }

    /** Ends all connections on both sides; what is kept on them never arrives. New connections are not affected. */
    public void cut(Cut cut) {
        loop.runAndFlush(() -> List.copyOf(connections).forEach(each -> each.abandon(cut)));
    }

    /**
     * Ends the clients' sides of all connections and leaves the server's sides open, so that requests kept now reach
     * the server after {@link #deliver}: requests that come late, from a client that has given up.
     */
    public void cutClientSide(Cut cut) {
        loop.runAndFlush(() -> List.copyOf(connections).forEach(each -> each.abandonClient(cut)));
    }

    /** Whether new connections are reset as soon as they are made. */
    public void refuse(boolean refused) {
        loop.run(() -> refusing = refused);
    }

    /** The connections with an open side or something to deliver, oldest first. */
    public List<RelayConnection> connections() {
        return loop.call(() -> List.copyOf(connections));
    }

    /** Bytes of this direction that were read and not delivered, on all connections. */
    public long kept(Direction direction) {
        return loop.call(() ->
                connections.stream().mapToLong(each -> each.kept(direction)).sum());
    }

    @Override
    public void close() {
        loop.close();
    }

    RelayLoop loop() {
        return loop;
    }

    HoldTriggers triggers() {
        return triggers;
    }

    void forget(RelayConnection connection) {
        connections.remove(connection);
    }

    private static ServerSocketChannel listen() throws IOException {
        for (int i = 1; true; i++) {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try (ReservedPort port = ReservedPort.any()) {
                return channel.bind(new InetSocketAddress("127.0.0.1", port.number()), BACKLOG);
            } catch (BindException e) {
                channel.close();
                if (i == BIND_TRIES) {
                    throw e;
                }
            }
        }
    }

    private void setHeld(Direction direction, boolean wanted) {
        if (wanted) {
            held.add(direction);
        } else {
            held.remove(direction);
        }
        List.copyOf(connections).forEach(each -> each.setHeld(direction, wanted));
    }

    private void accept() {
        try {
            SocketChannel client = listener.accept();
            if (client != null && (refusing || connections.size() >= MAX_CONNECTIONS)) {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
                client.close();
            } else if (client != null) {
                add(client);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the relay on port " + port() + " could not accept a connection", e);
        }
    }

    private void add(SocketChannel client) throws IOException {
        SocketChannel server = SocketChannel.open();
        server.configureBlocking(false);
        RelayConnection connection = new RelayConnection(this, traffic.get(), client, server);
        held.forEach(each -> connection.setHeld(each, true));
        delays.forEach(connection::delay);
        connections.add(connection);
        connection.connect(target);
    }

    private long flush() {
        long next = -1;
        for (RelayConnection each : List.copyOf(connections)) {
            long wait = each.flush();
            next = next < 0 || (wait >= 0 && wait < next) ? wait : next;
        }
        return next;
    }
}
