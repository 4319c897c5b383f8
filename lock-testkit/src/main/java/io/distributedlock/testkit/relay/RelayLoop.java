package io.distributedlock.testkit.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one thread of a relay: all its sockets, all its state and every wish of a test are handled there, in order. */
final class RelayLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RelayLoop.class.getName());

    private static final long CLOSE_LIMIT_MILLIS = 5_000;

    private final Selector selector;
    private final Thread thread;
    private final LongSupplier timedWork;
    private final Queue<Wish<?>> wishes = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private volatile boolean ended;

    private record Wish<T>(Supplier<T> work, CompletableFuture<T> result) {
        void fulfil() {
            try {
                result.complete(work.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        }
    }

    /** {@code timedWork} does what is due and tells the nanoseconds until something else is, or a negative number. */
    RelayLoop(String name, LongSupplier timedWork) {
        this.timedWork = timedWork;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector for " + name, e);
        }
        this.thread = new Thread(this::loop, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Calls {@code handler} on the loop's thread whenever the channel is ready. */
    SelectionKey register(SelectableChannel channel, int operations, Runnable handler) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, operations, handler);
    }

    /** Does the work on the loop's thread and returns when it has been done. */
    <T extends @Nullable Object> T call(Supplier<T> work) {
        if (Thread.currentThread() == thread) {
            return work.get();
        }
        Wish<T> wish = new Wish<>(work, new CompletableFuture<>());
        wishes.add(wish);
        if (ended) {
            wish.result().completeExceptionally(new IllegalStateException("the relay is closed"));
        } else {
            selector.wakeup();
        }
        try {
            return wish.result().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    void run(Runnable work) {
        call(() -> {
            work.run();
            return true;
        });
    }

    /** As {@link #run}, and returns when the system has really closed the sockets that were closed. */
    void runAndFlush(Runnable work) {
        run(() -> {
            work.run();
            try {
                selector.selectNow(RelayLoop::handle);
            } catch (IOException e) {
                throw new UncheckedIOException("the selector failed", e);
            }
        });
    }

    /** Closes all sockets, ends the thread and returns when it has ended. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(CLOSE_LIMIT_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        try {
            while (!closed) {
                select(timedWork.getAsLong());
                for (Wish<?> wish = wishes.poll(); wish != null; wish = wishes.poll()) {
                    wish.fulfil();
                }
            }
        } catch (IOException e) {
            LOG.log(Level.ERROR, thread.getName() + " failed and relays nothing any more", e);
        } finally {
            ended = true;
            closeAll();
            wishes.forEach(
                    wish -> wish.result().completeExceptionally(new IllegalStateException("the relay is closed")));
        }
    }

    private void select(long nanos) throws IOException {
        if (nanos < 0) {
            selector.select(RelayLoop::handle);
        } else {
            selector.select(RelayLoop::handle, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
        }
    }

    private void closeAll() {
        try (selector) {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, thread.getName() + " could not close its sockets", e);
        }
    }

    private static void handle(SelectionKey key) {
        try {
            ((Runnable) key.attachment()).run();
        } catch (CancelledKeyException e) {
            LOG.log(Level.DEBUG, "a relayed socket was closed while it was ready", e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a relay failed on one of its sockets", e);
        }
    }
}
