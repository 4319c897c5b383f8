package io.distributedlock.testkit.relay;

import io.distributedlock.testkit.resp.RespFrames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The traffic of one connection whose commands may be answered or replaced on the way, each answer in its place among
 * the server's replies.
 *
 * <p>Replies are distinguished from pushed messages in RESP2 and RESP3. MONITOR, CLIENT REPLY and an UNSUBSCRIBE from
 * several channels that does not name them break the rule of one reply for each command and would shift later answers.
 */
public final class CommandTraffic implements Traffic {
    private static final Set<String> CONFIRMATIONS =
            Set.of("subscribe", "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "sunsubscribe");
    private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");

    private final Function<List<String>, Passage> passages;
    private final RespFrames frames = new RespFrames();
    private final Deque<Expected> expected = new ArrayDeque<>();
    private boolean unframed;
    private boolean subscribedInResp2;

    /** A reply that is due: the server's to one command, or one of our own when {@code left} is 0. */
    private static final class Expected {
        final boolean subscription;
        final UnaryOperator<byte[]> reply;
        final String answer;
        int left;

        Expected(boolean subscription, int left, UnaryOperator<byte[]> reply, String answer) {
            this.subscription = subscription;
            this.left = left;
            this.reply = reply;
            this.answer = answer;
        }
    }

    /** @param passages is given the words of each command, its name first as the client wrote it */
    public CommandTraffic(Function<List<String>, Passage> passages) {
        this.passages = passages;
    }

    @Override
    public void request(byte[] command, Consumer<byte[]> toServer, Consumer<byte[]> toClient) {
        List<String> words = RespFrames.words(command);
        if (words.isEmpty()) {
            unframed = true;
            toServer.accept(command);
            return;
        }
        Passage passage = passages.apply(words);
        if (passage instanceof Passage.Answered answered) {
            expected.add(new Expected(false, 0, UnaryOperator.identity(), answered.rawReply()));
            giveAnswers(toClient);
        } else if (passage instanceof Passage.Replaced replaced) {
            expected.add(new Expected(false, 1, replaced.reply(), ""));
            toServer.accept(RespFrames.command(replaced.command()));
        } else {
            boolean subscription = CONFIRMATIONS.contains(words.get(0).toLowerCase(Locale.ROOT));
            int replies = subscription ? Math.max(1, words.size() - 1) : 1;
            expected.add(new Expected(subscription, replies, UnaryOperator.identity(), ""));
            toServer.accept(command);
        }
    }

    @Override
    public void reply(byte[] bytes, Consumer<byte[]> toClient) {
        if (unframed) {
            toClient.accept(bytes);
            return;
        }
        for (byte[] frame : frames.add(bytes)) {
            toClient.accept(settle(frame));
            giveAnswers(toClient);
        }
    }

    /** Returns what the client is to get. */
    private byte[] settle(byte[] frame) {
        boolean confirmation = CONFIRMATIONS.contains(RespFrames.firstWord(frame));
        subscribedInResp2 |= confirmation && frame[0] == '*';
        Expected head = expected.peek();
        if (head == null) {
            return frame;
        }
        if (head.subscription) {
            head.left = frame[0] == '-' ? 0 : head.left - (confirmation ? 1 : 0);
        } else if (!isMessage(frame)) {
            head.left--;
            return head.reply.apply(frame);
        }
        return frame;
    }

    /** In RESP2 a message looks like any array. */
    private boolean isMessage(byte[] frame) {
        return frame[0] == '>' || (subscribedInResp2 && MESSAGES.contains(RespFrames.firstWord(frame)));
    }

    private void giveAnswers(Consumer<byte[]> toClient) {
        for (Expected head = expected.peek(); head != null && head.left <= 0; head = expected.peek()) {
            expected.remove();
            if (!head.answer.isEmpty()) {
                toClient.accept(head.answer.getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
