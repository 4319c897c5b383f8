package io.distributedlock.testkit.relay;

import io.distributedlock.testkit.resp.RespFrames;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * One client's connection through a {@link Relay}: a socket towards the client and one towards the server.
 *
 * <p>It ends for the relay when both sides have ended and nothing is kept for either. An end of the client's side,
 * whatever its kind, reaches the server as an orderly end behind the requests that were kept.
 */
public final class RelayConnection {
    private final Relay relay;
    private final Traffic traffic;
    private final RelaySocket client;
    private final RelaySocket server;
    private final RelayStream requests;
    private final RelayStream replies;
    private final RespFrames commands = new RespFrames();
    private final HoldTriggers triggers = new HoldTriggers();

    RelayConnection(Relay relay, Traffic traffic, SocketChannel client, SocketChannel server) throws IOException {
        this.relay = relay;
        this.traffic = traffic;
        this.client = new RelaySocket(relay.loop(), client, () -> guarded(this::clientIsReady));
        this.server = new RelaySocket(relay.loop(), server, () -> guarded(this::serverIsReady));
        this.requests = new RelayStream(this.client, this.server);
        this.replies = new RelayStream(this.server, this.client);
    }

    /** As {@link Relay#hold}, for this connection alone. */
    public void hold(Direction direction) {
        relay.loop().run(() -> setHeld(direction, true));
    }

    /** As {@link Relay#deliver}, for this connection alone. */
    public void deliver(Direction direction) {
        relay.loop().run(() -> setHeld(direction, false));
    }

    /** As {@link Relay#holdWhen}, watching and holding this connection alone. */
    public CompletableFuture<RelayConnection> holdWhen(Direction direction, Predicate<String> request) {
        return relay.loop().call(() -> triggers.add(request, connection -> setHeld(direction, true)));
    }

    /** As {@link Relay#cut}, for this connection alone. */
    public void cut(Cut cut) {
        relay.loop().runAndFlush(() -> abandon(cut));
    }

    /** As {@link Relay#cutClientSide}, for this connection alone. */
    public void cutClientSide(Cut cut) {
        relay.loop().runAndFlush(() -> abandonClient(cut));
    }

    /** Bytes of this direction that were read and not delivered. */
    public long kept(Direction direction) {
        return relay.loop().call(() -> stream(direction).size());
    }

    void connect(SocketAddress target) {
        if (!server.connect(target)) {
            flush();
        }
    }

    void setHeld(Direction direction, boolean held) {
        stream(direction).hold(held);
        flush();
    }

    void delay(Direction direction, Duration delay) {
        stream(direction).delay(delay);
    }

    /** Delivers what is due; gives the nanoseconds until more is due, or a negative number. */
    long flush() {
        long forRequests = requests.flush();
        long forReplies = replies.flush();
        if (!client.isOpen()) {
            requests.end(Cut.FIN);
            replies.breakOff();
        }
        if (!server.isOpen()) {
            replies.end(Cut.RST);
            requests.breakOff();
        }
        if (requests.isOver() && replies.isOver()) {
            client.close();
            server.close();
            relay.forget(this);
        }
        return forRequests < 0 || (forReplies >= 0 && forReplies < forRequests) ? forReplies : forRequests;
    }

    void abandon(Cut cut) {
        requests.breakOff();
        replies.breakOff();
        client.abandon(cut);
        server.abandon(cut);
        relay.forget(this);
    }

    void abandonClient(Cut cut) {
        List<CompletableFuture<RelayConnection>> pulled = new ArrayList<>();
        while (readClient(pulled) && requests.hasRoom()) {
            // What the client has sent before belongs to what is kept.
        }
        replies.breakOff();
        requests.end(Cut.FIN);
        client.abandon(cut);
        flush();
        pulled.forEach(each -> each.complete(this));
    }

    private void clientIsReady() {
        List<CompletableFuture<RelayConnection>> pulled = new ArrayList<>();
        readClient(pulled);
        flush();
        pulled.forEach(each -> each.complete(this));
    }

    /** Whether there may be more to read. */
    private boolean readClient(List<CompletableFuture<RelayConnection>> pulled) {
        RelaySocket.Read read = client.read();
        for (byte[] command : commands.add(read.bytes())) {
            traffic.request(command, forwarded -> forward(forwarded, pulled), replies::add);
        }
        if (read.end() != null) {
            requests.end(Cut.FIN);
        }
        if (read.end() == Cut.RST) {
            client.close();
        }
        return read.bytes().length > 0;
    }

    private void forward(byte[] command, List<CompletableFuture<RelayConnection>> pulled) {
        pulled.addAll(triggers.pull(command, this));
        pulled.addAll(relay.triggers().pull(command, this));
        requests.add(command);
    }

    private void serverIsReady() {
        if (server.isConnected() || server.finishConnect()) {
            RelaySocket.Read read = server.read();
            if (read.bytes().length > 0) {
                traffic.reply(read.bytes(), replies::add);
            }
            if (read.end() != null) {
                replies.end(read.end());
            }
        }
        flush();
    }

    private void guarded(Runnable handler) {
        try {
            handler.run();
        } catch (RuntimeException e) {
            abandon(Cut.RST);
            throw e;
        }
    }

    private RelayStream stream(Direction direction) {
        return direction == Direction.REQUESTS ? requests : replies;
    }
}
