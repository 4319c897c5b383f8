package io.distributedlock.testkit.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One of the two sockets of a relayed connection; confined to the relay's thread. */
final class RelaySocket {
    private static final int READ_SIZE = 64 << 10;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_SIZE);
    private boolean draining;

    /** What one read found: bytes, nothing for now, or the end of the stream and its kind. */
    record Read(byte[] bytes, @Nullable Cut end) {}

    RelaySocket(RelayLoop loop, SocketChannel channel, Runnable handler) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.key =
                loop.register(channel, channel.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, () -> {
                    if (drained()) {
                        handler.run();
                    }
                });
    }

    /** Begins to connect; false if that failed at once. */
    boolean connect(SocketAddress target) {
        try {
            return !channel.connect(target) || finishConnect();
        } catch (IOException e) {
            close();
            return false;
        }
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    boolean isConnected() {
        return channel.isConnected();
    }

    /** Completes a pending connect; false if it failed. */
    boolean finishConnect() {
        try {
            if (channel.finishConnect()) {
                key.interestOps(SelectionKey.OP_READ);
            }
            return true;
        } catch (IOException e) {
            close();
            return false;
        }
    }

    Read read() {
        buffer.clear();
        try {
            int count = channel.read(buffer);
            byte[] bytes = new byte[Math.max(0, count)];
            buffer.flip().get(bytes);
            return new Read(bytes, count < 0 ? Cut.FIN : null);
        } catch (IOException e) {
            return new Read(new byte[0], Cut.RST);
        }
    }

    /** Writes what the system takes at once; false if this socket can't be written to any more. */
    boolean write(ByteBuffer bytes) {
        try {
            channel.write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Wants to hear of this operation, or no longer. */
    void interest(int operation, boolean wanted) {
        if (!draining && key.isValid() && isConnected()) {
            int others = key.interestOps() & ~operation;
            key.interestOps(wanted ? others | operation : others);
        }
    }

    /** Ends the stream towards this socket's peer; what the peer still sends is read as before. */
    void end(Cut cut) {
        try {
            if (cut == Cut.FIN && channel.isConnected()) {
                channel.shutdownOutput();
            } else {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                channel.close();
            }
        } catch (IOException e) {
            close();
        }
    }

    /**
     * Ends both ways: a reset at once, or an orderly end after which the peer's bytes are read and thrown away until it
     * ends its side too, because closing a socket with unread bytes would reset it.
     */
    void abandon(Cut cut) {
        end(cut);
        if (key.isValid() && isConnected()) {
            key.interestOps(SelectionKey.OP_READ);
        }
        draining = true;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("could not close a relayed socket", e);
        }
    }

    private boolean drained() {
        if (!draining) {
            return true;
        }
        if (read().end() != null) {
            close();
        }
        return false;
    }
}
