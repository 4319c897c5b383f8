package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.internal.ExceptionFactory;
import io.lettuce.core.protocol.RedisProtocolException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.EncoderException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of failures: one row for each error text of a server and for each failure of the driver. */
class FailureTableTest {

    /** Texts as Redis 6.2, Redis 7.0 and Valkey 9 give them, shortened only where they explain themselves. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            REFUSED | OOM command not allowed when used memory > 'maxmemory'.
            REFUSED | OOM command not allowed when used memory > 'maxmemory'. script: 8ea05095230b7f5ee9d3c5dbf5d583ef717fb6cc, on @user_script:20.
            REFUSED | ERR Error running script (call to f_8ea05095230b7f5ee9d3c5dbf5d583ef717fb6cc): @user_script:10: @user_script: 10: -OOM command not allowed when used memory > 'maxmemory'.
            REFUSED | MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.
            REFUSED | MISCONF Errors writing to the AOF file: No space left on device
            REFUSED | ERR Error running script (call to f_c5cc4982e96b28a5f9d4198d5d748a8d2f8ddf03): @user_script:6: @user_script: 6: -MISCONF Redis is configured to save RDB snapshots
            REFUSED | NOREPLICAS Not enough good replicas to write.
            REFUSED | NOREPLICAS Not enough good replicas to write. script: f86859ad99802997fc5866e26d28a65b98e0936c, on @user_script:9.
            REFUSED | READONLY You can't write against a read only replica.
            REFUSED | READONLY You can't write against a read only replica. script: f86859ad99802997fc5866e26d28a65b98e0936c, on @user_script:9.
            REFUSED | ERR Error running script (call to f_f86859ad99802997fc5866e26d28a65b98e0936c): @user_script:9: @user_script: 9: -READONLY You can't write against a read only replica.
            REFUSED | LOADING Redis is loading the dataset in memory
            REFUSED | BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
            REFUSED | NOAUTH Authentication required.
            REFUSED | WRONGPASS invalid username-password pair or user is disabled.
            REFUSED | NOPERM this user has no permissions to run the 'eval' command
            REFUSED | NOPERM User locks has no permissions to run the 'evalsha' command
            REFUSED | NOPERM this user has no permissions to access one of the keys used as arguments
            REFUSED | CLUSTERDOWN Hash slot not served
            REFUSED | CLUSTERDOWN The cluster is down
            REFUSED | MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.
            REFUSED | TRYAGAIN Multiple keys request during rehashing of slot
            REFUSED | CROSSSLOT Keys in request don't hash to the same slot
            REFUSED | MOVED 3999 127.0.0.1:6381
            REFUSED | ASK 3999 127.0.0.1:6381
            REFUSED | NOSCRIPT No matching script. Please use EVAL.
            REFUSED | WRONGTYPE Operation against a key holding the wrong kind of value
            REFUSED | WRONGTYPE Operation against a key holding the wrong kind of value script: ff13b586ada6ac3ffd3e0c0feff4622a27f9944c, on @user_script:21.
            REFUSED | ERR Error running script (call to f_ff13b586ada6ac3ffd3e0c0feff4622a27f9944c): @user_script:21: WRONGTYPE Operation against a key holding the wrong kind of value
            REFUSED | WRONGTYPE The fence counter lock:fence holds something other than a token
            REFUSED | ERR unknown command 'EVALSHA', with args beginning with: 'a' 'b'
            REFUSED | ERR unknown command `EVALSHA`, with args beginning with: `a`, `b`,
            REFUSED | OOM
            """)
    void theseTextsMeanThatTheCommandHadNoEffect(Effect expected, String text) {
        assertThat(effectOf(text)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            UNKNOWN | ERR
            UNKNOWN | ERR something went wrong
            UNKNOWN | ERR backend connection lost
            UNKNOWN | ERR max number of clients reached
            UNKNOWN | ERR OOM command not allowed when used memory > 'maxmemory'.
            UNKNOWN | ERR unknown commander
            UNKNOWN | ERR unknown commands are not relayed
            UNKNOWN | ERR Unknown Redis command called from script script: f86859ad99802997fc5866e26d28a65b98e0936c, on @user_script:9.
            UNKNOWN | ERR Error running script (call to f_f86859ad99802997fc5866e26d28a65b98e0936c): @user_script:9: @user_script: 9: Unknown Redis command called from Lua script
            UNKNOWN | ERR The user executing the script can't run this command or subcommand script: c5cc4982e96b28a5f9d4198d5d748a8d2f8ddf03, on @user_script:9.
            UNKNOWN | ERR ACL failure in script: User locks has no permissions to run the 'del' command script: on @user_script:9.
            UNKNOWN | ERR Error running script (call to f_c5cc4982e96b28a5f9d4198d5d748a8d2f8ddf03): @user_script:9: @user_script: 9: The user executing the script can't run this command or subcommand
            UNKNOWN | ERR Script killed by user with SCRIPT KILL... script: 694a5fe1ddb97a4c6a1bf299d9537c7d3d0f84e7, on @user_script:1.
            UNKNOWN | ERR user_script:17: attempt to compare number with nil script: 8ea05095230b7f5ee9d3c5dbf5d583ef717fb6cc, on @user_script:17.
            UNKNOWN | ERR Error running script (call to f_x): @user_script: 9: -OOM command not allowed
            UNKNOWN | ERR wrong number of arguments for 'eval' command
            UNKNOWN | EXECABORT Transaction discarded because of previous errors.
            UNKNOWN | NOGOODSLAVE No good slave to promote
            UNKNOWN | UNKILLABLE Sorry the script already executed write commands against the dataset.
            UNKNOWN | BUSYGROUP Consumer Group name already exists
            UNKNOWN | BUSYKEY Target key name already exists.
            UNKNOWN | OOMPH too much
            UNKNOWN | READONLYISH replica
            UNKNOWN | LOADINGS in progress
            UNKNOWN | NOSCRIPTS here
            UNKNOWN | MOVEDON 1 2
            UNKNOWN | oom command not allowed
            UNKNOWN | proxy: OOM command not allowed
            UNKNOWN | 502 Bad Gateway
            UNKNOWN | ""
            """)
    void everyOtherTextLeavesTheEffectOpenAlsoIfItOnlyBeginsLikeOneOfThose(Effect expected, String text) {
        assertThat(effectOf(text)).isEqualTo(expected);
    }

    private static Effect effectOf(String text) {
        return RedisReplies.failure(ExceptionFactory.createExecutionException(text))
                .effect();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("failuresOfTheDriver")
    void aFailureOfTheDriverTellsWhetherTheCommandCanHaveBeenSent(Effect expected, Throwable failure) {
        assertThat(RedisReplies.failure(failure).effect()).isEqualTo(expected);
        assertThat(RedisReplies.failure(new CompletionException(failure)).effect())
                .isEqualTo(expected);
    }

    static Stream<Arguments> failuresOfTheDriver() {
        ConnectException refused = new ConnectException("Connection refused: /127.0.0.1:6379");
        return Stream.of(
                arguments(Effect.NOT_SENT, new RedisException("Currently not connected. Commands are rejected.")),
                arguments(Effect.NOT_SENT, new RedisException("Connection is closed")),
                arguments(Effect.NOT_SENT, full("Request queue size exceeded: 65536.")),
                arguments(Effect.NOT_SENT, full("Command buffer size exceeded: 65536.")),
                arguments(Effect.NOT_SENT, full("Internal stack size exceeded: 65536.")),
                arguments(
                        Effect.NOT_SENT, new RedisConnectionException("Unable to connect to 127.0.0.1:6379", refused)),
                arguments(Effect.NOT_SENT, RedisConnectionException.create(refused)),
                arguments(Effect.NOT_SENT, new RedisConnectionException("Connection closed prematurely")),
                arguments(Effect.NOT_SENT, new RedisConnectionException("Cannot connect to a Redis Sentinel: [a:1]")),
                arguments(Effect.UNKNOWN, new RedisConnectionException("DENIED Redis is running in protected mode")),
                arguments(Effect.UNKNOWN, new RedisException("Connection disconnected")),
                arguments(Effect.UNKNOWN, new RedisException("Connection closed")),
                arguments(Effect.UNKNOWN, new RedisException("Attempting to write duplicate command")),
                arguments(Effect.UNKNOWN, new RedisCommandTimeoutException("Command timed out after 5 second(s)")),
                arguments(Effect.UNKNOWN, new RedisCommandInterruptedException(new InterruptedException())),
                arguments(Effect.UNKNOWN, new RedisCommandExecutionException((String) null)),
                arguments(Effect.UNKNOWN, new RedisProtocolException("Invalid first byte: 72 (H)")),
                arguments(Effect.UNKNOWN, new CancellationException()),
                arguments(Effect.UNKNOWN, new ClosedChannelException()),
                arguments(Effect.UNKNOWN, new IOException("Connection reset by peer")),
                arguments(Effect.UNKNOWN, new IOException("Broken pipe")),
                arguments(Effect.UNKNOWN, refused),
                arguments(Effect.UNKNOWN, new EncoderException("Cannot encode command. Closing the connection")),
                arguments(Effect.UNKNOWN, new DecoderException("not an SSL/TLS record")),
                arguments(Effect.UNKNOWN, new RejectedExecutionException("event executor terminated")),
                arguments(Effect.UNKNOWN, new UnsupportedOperationException("does not support set(ByteBuffer)")),
                arguments(Effect.UNKNOWN, new IllegalStateException()),
                arguments(Effect.REFUSED, StoreException.refused("classified before", null)),
                arguments(Effect.NOT_SENT, RedisLockConnection.stoppedNow()));
    }

    private static RedisException full(String reason) {
        return new RedisException(reason + " Commands are not accepted until the queue size drops.");
    }
}
