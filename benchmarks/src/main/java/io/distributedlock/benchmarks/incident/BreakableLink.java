package io.distributedlock.benchmarks.incident;

import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The way between one client and Redis, which goes dead in both directions at a chosen command and comes back later.
 */
final class BreakableLink implements AutoCloseable {

    private static final long LIMIT_SECONDS = 60;

    private final Relay relay;

    BreakableLink(int redisPort) {
        this.relay = Relay.to(redisPort);
    }

    int port() {
        return relay.port();
    }

    /**
     * Dies at the next command that contains these words: before that command or, if only replies are lost, right
     * behind it.
     *
     * @return completed when the link is dead; failed if there is no such command for a minute
     */
    CompletableFuture<Void> dieAt(String words, Direction lost) {
        Direction other = lost == Direction.REPLIES ? Direction.REQUESTS : Direction.REPLIES;
        return relay.holdWhen(lost, request -> request.contains(words))
                .thenRun(() -> relay.hold(other))
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Ends the connections that were there, with all that is under way on them, and lets everything through again. */
    void comeBack(Cut cut) {
        relay.cut(cut);
        relay.deliver(Direction.REQUESTS);
        relay.deliver(Direction.REPLIES);
    }

    @Override
    public void close() {
        relay.close();
    }
}
