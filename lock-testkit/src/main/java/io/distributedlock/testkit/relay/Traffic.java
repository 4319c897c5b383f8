package io.distributedlock.testkit.relay;

import java.util.function.Consumer;

/** What becomes of the bytes of one relayed connection; called on the relay's thread. */
public interface Traffic {
    /** One whole command, or what was read at once if the client does not speak RESP. */
    void request(byte[] command, Consumer<byte[]> toServer, Consumer<byte[]> toClient);

    /** What was read at once from the server. */
    void reply(byte[] bytes, Consumer<byte[]> toClient);

    /** Lets everything pass. */
    static Traffic unchanged() {
        return new Traffic() {
            @Override
            public void request(byte[] command, Consumer<byte[]> toServer, Consumer<byte[]> toClient) {
                toServer.accept(command);
            }

            @Override
            public void reply(byte[] bytes, Consumer<byte[]> toClient) {
                toClient.accept(bytes);
            }
        };
    }
}
