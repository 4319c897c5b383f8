package io.distributedlock.redis;

import io.lettuce.core.codec.RedisCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Keys and values as text in UTF-8. The driver's own codec has it allocate a direct buffer for each single argument, and most of the work of a
 * script about a hundred locks would be that.
 */
final class PlainText implements RedisCodec<String, String> {

    static final PlainText CODEC = new PlainText();

    private PlainText() {}

    @Override
    public String decodeKey(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    @Override
    public String decodeValue(ByteBuffer bytes) {
        return decodeKey(bytes);
    }

    @Override
    public ByteBuffer encodeKey(String key) {
        return ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public ByteBuffer encodeValue(String value) {
        return encodeKey(value);
    }
}
