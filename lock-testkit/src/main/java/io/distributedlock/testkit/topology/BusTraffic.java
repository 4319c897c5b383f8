package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.relay.Traffic;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two nodes of a cluster, which names its sender in every message. Once it would have crossed a
 * cut, nothing passes any more, so that no stream has a hole; the nodes give it up and make another one.
 */
final class BusTraffic implements Traffic {
    private static final int SENDER = 40;
    private static final int ID_LENGTH = 40;

    private final Predicate<String> isCut;
    private @Nullable String sender;
    private boolean dead;

    /** @param isCut whether nothing passes between the node with this id and the one that it has connected to */
    BusTraffic(Predicate<String> isCut) {
        this.isCut = isCut;
    }

    @Override
    public void request(byte[] message, Consumer<byte[]> toServer, Consumer<byte[]> toClient) {
        if (sender == null) {
            sender = new String(message, SENDER, ID_LENGTH, StandardCharsets.US_ASCII);
        }
        pass(message, toServer);
    }

    @Override
    public void reply(byte[] bytes, Consumer<byte[]> toClient) {
        pass(bytes, toClient);
    }

    private void pass(byte[] bytes, Consumer<byte[]> on) {
        dead |= sender == null || isCut.test(sender);
        if (!dead) {
            on.accept(bytes);
        }
    }
}
