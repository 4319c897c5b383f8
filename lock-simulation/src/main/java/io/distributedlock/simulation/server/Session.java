package io.distributedlock.simulation.server;

import java.io.ByteArrayOutputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The server's end of a connection. */
public final class Session {

    private final Set<String> channels = new LinkedHashSet<>();
    private final SimulatedRedis server;
    private final long id;
    private final String address;
    private final Consumer<byte[]> wire;
    private boolean resp3;
    private boolean closed;

    Session(SimulatedRedis server, long id, String address, Consumer<byte[]> wire) {
        this.server = server;
        this.id = id;
        this.address = address;
        this.wire = wire;
    }

    long id() {
        return id;
    }

    String address() {
        return address;
    }

    boolean isResp3() {
        return resp3;
    }

    void speak(boolean newer) {
        resp3 = newer;
    }

    Set<String> channels() {
        return channels;
    }

    /** Executes the commands in these bytes, and sends their answers; nothing once it is closed. */
    public void receive(byte[] bytes) {
        for (String[] words : Wire.commands(bytes)) {
            if (!closed) {
                send(server.execute(this, words));
            }
        }
    }

    void send(@org.jspecify.annotations.Nullable Object reply) {
        if (!closed && reply != SimulatedRedis.NOTHING) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Wire.append(bytes, reply, resp3);
            wire.accept(bytes.toByteArray());
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /** Whatever arrives from now on is not executed. */
    public void close() {
        closed = true;
        server.closed(this);
    }
}
