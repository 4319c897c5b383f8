package io.distributedlock.testkit.relay;

import java.util.List;
import java.util.function.Predicate;

/**
 * A {@link Relay} that knows commands: it counts them, and answers some itself as another kind of server would.
 *
 * <p>A client that does not speak RESP, or speaks it inside TLS, is relayed without being counted or answered.
 */
public final class CommandRelay implements AutoCloseable {
    private final CommandRules rules;
    private final Relay relay;

    private CommandRelay(int port) {
        this.rules = new CommandRules();
        this.relay = Relay.to(port, () -> new CommandTraffic(rules::passage));
    }

    /** Starts a relay to the server on this port of 127.0.0.1. */
    public static CommandRelay to(int port) {
        return new CommandRelay(port);
    }

    /** The port on 127.0.0.1 at which clients reach the server through this relay. */
    public int port() {
        return relay.port();
    }

    /** The address in the form {@code redis://127.0.0.1:port}. */
    public String uri() {
        return relay.uri();
    }

    /** The relay underneath, for holds, delays and cuts. */
    public Relay relay() {
        return relay;
    }

    /**
     * Answers matching commands instead of forwarding them, until {@link #clearAnswers}. An answer takes its place
     * among the replies: it waits for those to the commands sent before.
     *
     * @param command is given the words of a command, its name first as the client wrote it
     * @param rawReply whole RESP values, for example {@code "-ERR unknown command 'DELEX'\r\n"}
     */
    public void answer(Predicate<List<String>> command, String rawReply) {
        answer(command, rawReply, Integer.MAX_VALUE);
    }

    /** Like {@link #answer(Predicate, String)}, for the first {@code times} matching commands only. */
    public void answer(Predicate<List<String>> command, String rawReply, int times) {
        rules.answer(command, rawReply, times);
    }

    /** Forwards all commands again. */
    public void clearAnswers() {
        rules.clearAnswers();
    }

    /** How many commands of this name clients have sent, answered here or not; the name is taken in any case. */
    public long count(String name) {
        return rules.count(name);
    }

    /** How many commands of any name clients have sent. */
    public long count() {
        return rules.count();
    }

    @Override
    public void close() {
        relay.close();
    }
}
