package io.distributedlock.testkit.server;

import io.distributedlock.testkit.process.ExitCleanup;
import io.distributedlock.testkit.process.Processes;
import io.distributedlock.testkit.process.ReservedPort;
import io.distributedlock.testkit.process.Signals;
import io.distributedlock.testkit.process.TemporaryFolder;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server in a process of its own, on a free port of the loopback interface, that keeps nothing on disk
 * unless its arguments say so.
 *
 * <p>The binary is the command line in the system property {@code distributedlock.redis-server}, or the bundled one of
 * the version that stands there, or else Redis 7.0.15 from the embedded-redis library. From version 7 on, DEBUG and the
 * protected settings are enabled. Process and folder end with {@link #close()}, at the latest when the JVM exits; only
 * a JVM killed by SIGKILL leaves them behind.
 *
 * <p>{@link #command} may be called by any thread; the methods that change the process are for one thread at a time.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration REPLY_LIMIT = Duration.ofSeconds(30);
    private static final Duration PORT_LIMIT = Duration.ofSeconds(10);
    private static final int TRIES = 20;

    private final RedisLaunch launch;
    private final ReservedPort port;
    private final TemporaryFolder folder;
    private final ConcurrentLinkedQueue<RespClient> idle = new ConcurrentLinkedQueue<>();
    private final Runnable cleanUp = this::close;
    private volatile Process process;

    private RedisServer(RedisLaunch launch, ReservedPort port, TemporaryFolder folder, Process process) {
        this.launch = launch;
        this.port = port;
        this.folder = folder;
        this.process = process;
        ExitCleanup.add(cleanUp);
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param arguments further arguments of redis-server, for example {@code "--requirepass", "x"}; no port or folder
     * @throws IllegalStateException if this platform has no server, or the server exits or stays silent for 20 s
     */
    public static RedisServer start(String... arguments) {
        return start(List.of(), arguments);
    }

    /** Starts a server that reads these settings from a file, which it may rewrite. */
    public static RedisServer start(List<String> settings, String... arguments) {
        RedisBinary binary = RedisBinary.current();
        TemporaryFolder folder = TemporaryFolder.create("redis");
        String refusal = "";
        try {
            for (int i = 0; i < TRIES; i++) {
                ReservedPort port = ReservedPort.any();
                RedisLaunch launch =
                        new RedisLaunch(binary, port.number(), folder.path(), settings, List.of(arguments));
                try {
                    return new RedisServer(launch, port, folder, launch.start(true));
                } catch (RedisLaunch.PortTaken e) {
                    port.close();
                    refusal = e.getMessage();
                } catch (RuntimeException e) {
                    port.close();
                    throw e;
                }
            }
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
        folder.close();
        throw new IllegalStateException("no port for a Redis server in " + TRIES + " tries: " + refusal);
    }

    /** The port on 127.0.0.1; it stays the same over restarts, and no other server has it until {@link #close()}. */
    public int port() {
        return launch.port();
    }

    /** The address in the form {@code redis://127.0.0.1:port}, without credentials. */
    public String uri() {
        return "redis://127.0.0.1:" + port();
    }

    /** The process id, a new one after each restart. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process exists, paused or not. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether the process exists and is not paused. */
    public boolean isRunning() {
        return isAlive() && !Signals.isStopped(pid());
    }

    /** Stops the process with SIGSTOP: connections stay open, and the kernel goes on accepting new ones and bytes. */
    public void pause() {
        Signals.stop(pid());
    }

    /** Lets a paused process go on with SIGCONT; no effect on a running one. */
    public void resume() {
        Signals.resume(pid());
    }

    /** Ends the process with SIGKILL, paused or not, and returns when it is gone; no effect on a dead one. */
    public void kill() {
        Processes.kill(process);
        closeClients();
    }

    /**
     * Starts the server again on the same port, with the same folder and arguments, and returns when it has loaded its
     * data; a running one is killed before.
     */
    public void restart() {
        launchAgain(true);
    }

    /** Like {@link #restart()}, but returns as soon as the server answers, be it with LOADING. */
    public void restartWithoutWaitingForData() {
        launchAgain(false);
    }

    /**
     * Runs one command on a connection of its own, authenticated if the server was started with a password.
     *
     * @return {@link String}, {@link Long}, {@link List} or {@code null}
     * @throws RespError if the server answers with an error
     * @throws UncheckedIOException if there is no server or no reply within 30 s
     */
    public @Nullable Object command(String... parts) {
        RespClient kept = idle.poll();
        if (kept == null) {
            return command(launch.connect(REPLY_LIMIT), parts);
        }
        try {
            return command(kept, parts);
        } catch (UncheckedIOException e) {
            boolean wasClosed = e.getCause() instanceof EOFException || e.getCause() instanceof SocketException;
            if (!wasClosed || !isAlive()) {
                throw e;
            }
            // The server had closed the kept connection meanwhile, as Sentinels make it do.
            return command(launch.connect(REPLY_LIMIT), parts);
        }
    }

    private @Nullable Object command(RespClient client, String... parts) {
        try {
            return client.command(parts);
        } finally {
            if (client.isOpen()) {
                idle.add(client);
            }
        }
    }

    /** How often the server ran this command, in scripts or not, since it started or got {@code CONFIG RESETSTAT}. */
    public long calls(String command) {
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(String.valueOf(command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** The end of what it has written into its log. */
    public String logTail() {
        return launch.logTail();
    }

    @Override
    public void close() {
        ExitCleanup.remove(cleanUp);
        kill();
        port.close();
        folder.close();
    }

    private void launchAgain(boolean loaded) {
        kill();
        long begin = System.nanoTime();
        while (true) {
            try {
                process = launch.start(loaded);
                return;
            } catch (RedisLaunch.PortTaken e) {
                if (System.nanoTime() - begin > PORT_LIMIT.toNanos()) {
                    throw new IllegalStateException("could not restart: " + e.getMessage(), e);
                }
            }
        }
    }

    private void closeClients() {
        for (RespClient client = idle.poll(); client != null; client = idle.poll()) {
            client.close();
        }
    }
}
