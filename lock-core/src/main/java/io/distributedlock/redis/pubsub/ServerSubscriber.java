package io.distributedlock.redis.pubsub;

/** Where messages of one server to this process arrive. */
public interface ServerSubscriber {

    /** No server sends messages here. */
    ServerSubscriber NONE = () -> false;

    /** Whether every message arrives that is sent now. */
    boolean isOpen();
}
