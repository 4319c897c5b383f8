package io.distributedlock.testkit.relay;

import java.util.List;
import java.util.function.UnaryOperator;

/** What becomes of one command on its way through a relay. */
public sealed interface Passage {
    /** It goes on as it came. */
    record Unchanged() implements Passage {}

    /**
     * It is answered by the relay. The answer takes its place among the replies of the server.
     *
     * @param rawReply whole RESP values, for example {@code "-ERR unknown command 'DELEX'\r\n"}
     */
    record Answered(String rawReply) implements Passage {}

    /**
     * It goes on as another command.
     *
     * @param reply makes the reply to the client out of the server's
     */
    record Replaced(List<String> command, UnaryOperator<byte[]> reply) implements Passage {
        public Replaced(List<String> command) {
            this(command, UnaryOperator.identity());
        }
    }
}
