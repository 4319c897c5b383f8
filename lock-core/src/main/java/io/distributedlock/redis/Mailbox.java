package io.distributedlock.redis;

/** Where the server's messages to this process arrive. Called by the connection's event loop, so it must not block. */
interface Mailbox {

    /** The channel on which its messages come. */
    String address();

    /** From now on every message to this address arrives; some may have been missed before. */
    void opened();

    /** Messages may be missed from now on. */
    void closed();

    void received(String message);
}
