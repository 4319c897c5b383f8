package io.distributedlock.testkit.relay;

import io.distributedlock.testkit.resp.RespClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A socket for protocol texts that {@link RespClient} does not speak. */
final class RawClient implements AutoCloseable {
    private final Socket socket;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
        socket.setSoTimeout(10_000);
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** All that was received since the last call, up to and with this text. */
    String awaitText(String last) throws IOException {
        StringBuilder received = new StringBuilder();
        while (received.indexOf(last) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("ended after: " + received);
            }
            received.append((char) next);
        }
        return received.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
