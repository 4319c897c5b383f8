package io.distributedlock.redis;

/** Where messages of one server to this process arrive. */
interface Post {

    /** No server sends messages here. */
    Post NONE = () -> false;

    /** Whether every message arrives that is sent now. */
    boolean isOpen();
}
