package io.distributedlock.redis.script;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;

/** The call of a script with encoded arguments. It may be sent more than once: a Cluster can redirect a command. */
final class ScriptArgs extends CommandArgs<String, String> {

    private final String script;
    private final EncodedArguments arguments;

    /** @param script the digest or the text */
    ScriptArgs(String script, EncodedArguments arguments) {
        super(StringCodec.UTF8);
        this.script = script;
        this.arguments = arguments;
        addKey(arguments.firstKey());
    }

    @Override
    public int count() {
        return 1 + arguments.count();
    }

    @Override
    public void encode(ByteBuf target) {
        EncodedArguments.append(target, script);
        arguments.appendTo(target);
    }
}
