package io.distributedlock.redis.pubsub;

/** Takes the messages of all servers to this process. Called by the connections' event loops, so it must not block. */
public interface MessageListener {

    /** The channel on which its messages come. */
    String address();

    /** No connection is open; the next ones may use another address, unlike that of a copy of this process. */
    void moves();

    /** The channel of the messages to all processes that use the same locks. */
    String commonAddress();

    /** From now on every message arrives that this server sends to this address; some may have been missed before. */
    void opened(ServerSubscriber there);

    /** No message arrives from inside scripts of this server, for a reason that does not pass by itself. */
    void unheard(String reason);

    /** In a Cluster a message arrives once for each node on which the address is subscribed. */
    void received(String message);

    /** A message to all processes has arrived, perhaps from this one; it can come as often as any other. */
    void receivedByAll(String message);
}
