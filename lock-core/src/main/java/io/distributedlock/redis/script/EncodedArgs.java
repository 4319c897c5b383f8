package io.distributedlock.redis.script;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Encoded arguments as the driver takes them. They may be sent more than once: a Cluster can redirect a command. */
final class EncodedArgs extends CommandArgs<String, String> {

    private final @Nullable String script;
    private final EncodedArguments arguments;

    /** @param script the digest or the text; null for a command that is none */
    EncodedArgs(@Nullable String script, EncodedArguments arguments) {
        super(StringCodec.UTF8);
        this.script = script;
        this.arguments = arguments;
        addKey(arguments.firstKey());
    }

    @Override
    public int count() {
        return (script == null ? 0 : 1) + arguments.count();
    }

    @Override
    public void encode(ByteBuf target) {
        if (script != null) {
            EncodedArguments.append(target, script);
        }
        arguments.appendTo(target);
    }
}
