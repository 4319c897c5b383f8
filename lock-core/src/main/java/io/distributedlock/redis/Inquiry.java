package io.distributedlock.redis;

import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;

/** What is sent on connections that are there to ask, and never carry a lock. */
enum Inquiry implements ProtocolKeyword {
    /** Tells, among others, which process the server is and which role it has. */
    INFO;

    @Override
    public byte[] getBytes() {
        return name().getBytes(StandardCharsets.US_ASCII);
    }
}
