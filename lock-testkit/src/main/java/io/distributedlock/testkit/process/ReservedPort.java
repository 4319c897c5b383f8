package io.distributedlock.testkit.process;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A loopback port for one server, which no other testkit on this machine takes until it is closed, whether the server
 * runs or not. Otherwise the port of a killed server could become that of another test's server, to which Sentinels,
 * replicas and clients of the killed one turn.
 *
 * <p>It comes from the {@link PortBlock} of this JVM. A UDP socket with the same number holds the reservation, so it
 * ends with this process at the latest. The port 10,000 higher, which Redis Cluster uses for its bus, is free as well.
 */
public final class ReservedPort implements AutoCloseable {
    private final int number;
    private final DatagramSocket reservation;

    private ReservedPort(int number, DatagramSocket reservation) {
        this.number = number;
        this.reservation = reservation;
    }

    /**
     * The port of this JVM's block that was closed longest ago.
     *
     * @throws IllegalStateException if all of them are in use
     */
    public static ReservedPort any() {
        PortBlock block = PortBlock.ofThisJvm();
        for (int i = 0; i < PortBlock.SIZE; i++) {
            Optional<ReservedPort> port = of(block.next());
            if (port.isPresent()) {
                return port.get();
            }
        }
        throw new IllegalStateException("all ports of this JVM are in use: " + block);
    }

    /** Reserves the port with this number; empty if it is reserved already, or in use. */
    public static Optional<ReservedPort> of(int number) {
        DatagramSocket reservation = reserve(number);
        if (reservation == null) {
            return Optional.empty();
        }
        if (isFree(number) && isFree(number + PortBlock.BUS_OFFSET)) {
            return Optional.of(new ReservedPort(number, reservation));
        }
        reservation.close();
        return Optional.empty();
    }

    static @Nullable DatagramSocket reserve(int number) {
        try {
            return new DatagramSocket(new InetSocketAddress("127.0.0.1", number));
        } catch (SocketException taken) {
            return null;
        }
    }

    static boolean isFree(int number) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress("127.0.0.1", number));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public int number() {
        return number;
    }

    @Override
    public void close() {
        reservation.close();
    }
}
