package io.distributedlock.simulation.network;

import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.simulation.clock.SimulatedProcess;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The client's end of one connection: the driver's handlers, on the clock of the process. */
final class SimulatedChannel extends EmbeddedChannel {

    private static final SocketAddress SERVER = address();
    private static final UnpooledByteBufAllocator HEAP = new UnpooledByteBufAllocator(false, true);

    private final SimulatedProcess process;
    private final ChannelHandler[] driver;
    private Consumer<byte[]> network;
    private Scheduler.Timer wake = Scheduler.Timer.NONE;
    private boolean planned;
    private long wakesAt;

    SimulatedChannel(SimulatedProcess process, Consumer<byte[]> network, ChannelHandler... driver) {
        super(builder().register(false).ticker(clockOf(process)));
        this.process = process;
        this.network = network;
        this.driver = driver;
        config().setAllocator(HEAP);
    }

    private static SocketAddress address() {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}), 6379);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Ticker clockOf(SimulatedProcess process) {
        long begun = process.now();
        return new Ticker() {
            @Override
            public long initialNanoTime() {
                return begun;
            }

            @Override
            public long nanoTime() {
                return process.now() - begun;
            }

            @Override
            public void sleep(long delay, TimeUnit unit) {
                throw new UnsupportedOperationException("the channel does not sleep");
            }
        };
    }

    void sendTo(Consumer<byte[]> there) {
        network = there;
    }

    void whenClosed(Runnable then) {
        closeFuture().addListener(closed -> then.run());
    }

    /** With all of the handlers, it becomes active. */
    void open(NettyCustomizer customizer) {
        pipeline().addLast(driver);
        customizer.afterChannelInitialized(this);
        try {
            register();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return SERVER;
    }

    @Override
    protected void handleOutboundMessage(Object message) {
        ByteBuf bytes = (ByteBuf) message;
        byte[] sent = new byte[bytes.readableBytes()];
        bytes.readBytes(sent);
        bytes.release();
        network.accept(sent);
    }

    void receive(byte[] bytes) {
        if (isActive()) {
            pipeline().fireChannelRead(Unpooled.wrappedBuffer(bytes));
            pipeline().fireChannelReadComplete();
        }
    }

    void settle() {
        runPendingTasks();
        long next = runScheduledPendingTasks();
        if (hasPendingTasks()) {
            runPendingTasks();
        }
        if (next < 0 || !isOpen()) {
            return;
        }
        long at = process.now() + next;
        if (!planned || at - wakesAt < 0) {
            wake.cancel();
            planned = true;
            wakesAt = at;
            wake = process.after(Duration.ofNanos(next), () -> planned = false);
        }
    }
}
