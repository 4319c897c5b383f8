package io.distributedlock.testkit.resp;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One plain RESP2 connection to a server on the loopback interface: an oracle that shares no code with a Redis driver.
 *
 * <p>For one thread at a time. Every I/O failure, a time-out included, is an {@link UncheckedIOException}; after one
 * the next reply could belong to an older command, so the connection is closed and of no further use.
 */
public final class RespClient implements AutoCloseable {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private final Socket socket;
    private final RespReader reader;

    private RespClient(Socket socket) throws IOException {
        this.socket = socket;
        this.reader = new RespReader(new BufferedInputStream(socket.getInputStream()));
    }

    /** Connects to 127.0.0.1 with five seconds for the connection and for each reply. */
    public static RespClient connect(int port) {
        return connect(port, DEFAULT_TIMEOUT);
    }

    /** Connects to 127.0.0.1; {@code timeout} is the limit for the connection and for each reply. */
    public static RespClient connect(int port, Duration timeout) {
        int millis = Math.max(1, Math.toIntExact(timeout.toMillis()));
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), millis);
            return new RespClient(socket);
        } catch (IOException e) {
            closeQuietly(socket);
            throw new UncheckedIOException("no connection to 127.0.0.1:" + port + " within " + millis + " ms", e);
        }
    }

    /**
     * Sends one command and waits for its reply: {@link String}, {@link Long}, {@link List} or {@code null}.
     *
     * @throws RespError if the server answers with an error; one inside an array stays an element of that array
     */
    public @Nullable Object command(String... parts) {
        send(parts);
        return receive();
    }

    public void authenticate(String password) {
        try {
            command("AUTH", password);
        } catch (RespError e) {
            close();
            throw e;
        }
    }

    /** Sends one command without waiting; {@link #receive()} then gives the replies in order. */
    public void send(String... parts) {
        try {
            socket.getOutputStream().write(RespFrames.command(List.of(parts)));
        } catch (IOException e) {
            throw failed("could not send " + parts[0], e);
        }
    }

    /** Waits for the next reply; the types and errors are those of {@link #command}. */
    public @Nullable Object receive() {
        Object reply;
        try {
            reply = reader.read();
        } catch (IOException e) {
            throw failed("no reply from port " + socket.getPort(), e);
        }
        if (reply instanceof RespError error) {
            throw error;
        }
        return reply;
    }

    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    private UncheckedIOException failed(String what, IOException cause) {
        close();
        return new UncheckedIOException(what + ": " + cause.getMessage(), cause);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // A socket that can't be closed is of no use to anybody either way.
        }
    }
}
