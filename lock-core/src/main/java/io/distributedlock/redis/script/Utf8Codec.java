package io.distributedlock.redis.script;

import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.ToByteBufEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Keys and values as text in UTF-8, written straight into the buffer of the connection. The driver's own codec only guesses sizes and so has a
 * buffer allocated for each single argument; most of the work of a script about a hundred locks would be that.
 */
public final class Utf8Codec implements RedisCodec<String, String>, ToByteBufEncoder<String, String> {

    public static final Utf8Codec CODEC = new Utf8Codec();

    private Utf8Codec() {}

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

    @Override
    public void encodeKey(String key, ByteBuf target) {
        ByteBufUtil.writeUtf8(target, key);
    }

    @Override
    public void encodeValue(String value, ByteBuf target) {
        encodeKey(value, target);
    }

    @Override
    public int estimateSize(Object keyOrValue) {
        return ByteBufUtil.utf8Bytes(String.valueOf(keyOrValue));
    }

    @Override
    public boolean isEstimateExact() {
        return true;
    }
}
