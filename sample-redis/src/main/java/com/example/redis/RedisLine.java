package com.example.redis;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The line between this application and its embedded Redis, which can be disturbed to see what becomes of locks then.
 * It passes bytes on, in both directions, with two threads for each connection.
 */
public final class RedisLine implements AutoCloseable {

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ServerSocket entrance;
    private final int serverPort;
    private volatile boolean losesReplies;

    private RedisLine(ServerSocket entrance, int serverPort) {
        this.entrance = entrance;
        this.serverPort = serverPort;
    }

    static RedisLine to(int serverPort) {
        try {
            RedisLine line = new RedisLine(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), serverPort);
            start("redis-line", line::accept);
            return line;
        } catch (IOException noPort) {
            throw new EmbeddedRedisException("no line to the redis-server: " + noPort.getMessage(), noPort);
        }
    }

    int port() {
        return entrance.getLocalPort();
    }

    /** Where Redis itself listens: no disturbance of this line is noticed there. */
    public int serverPort() {
        return serverPort;
    }

    /** From now on Redis gets and executes commands, but its replies are lost. */
    public void loseReplies() {
        losesReplies = true;
    }

    /** Resets all connections. New ones work as they should. */
    public void restore() {
        losesReplies = false;
        sockets.forEach(RedisLine::close);
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                connect(entrance.accept());
            } catch (IOException closedOrRefused) {
                // The client connects again if it wants to.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        } catch (IOException away) {
            close(client);
            throw away;
        }
        sockets.add(client);
        sockets.add(server);
        start("redis-line-commands", () -> pass(client, server, false));
        start("redis-line-replies", () -> pass(server, client, true));
    }

    private void pass(Socket from, Socket to, boolean replies) {
        try (from;
                to) {
            to.setTcpNoDelay(true);
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[16 * 1024];
            for (int length = in.read(some); length >= 0; length = in.read(some)) {
                if (!replies || !losesReplies) {
                    out.write(some, 0, length);
                }
            }
        } catch (IOException ended) {
            // Both sides are closed; the client connects again.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException closedAlready) {
            // Which is what was wanted.
        }
    }

    @Override
    public void close() {
        close(entrance);
        sockets.forEach(RedisLine::close);
    }
}
