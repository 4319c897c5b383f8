package io.distributedlock.testkit.process;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A loopback port for one server, which no other testkit on this machine takes until it is closed, whether the server
 * runs or not. Otherwise the port of a killed server could become that of another test's server, to which Sentinels,
 * replicas and clients of the killed one turn.
 *
 * <p>A UDP socket with the same number holds the reservation, so it ends with this process at the latest.
 *
 * <p>The range lies below the one from which systems take the ports of outgoing connections. The ports 10,000 higher,
 * which Redis Cluster uses for its bus, lie outside of it, and that of this port is free as well.
 */
public final class ReservedPort implements AutoCloseable {
    private static final int FIRST = 10_000;
    private static final int LAST = 20_000;
    private static final int BUS_OFFSET = 10_000;
    private static final int TRIES = 1_000;

    private final int number;
    private final DatagramSocket reservation;

    private ReservedPort(int number, DatagramSocket reservation) {
        this.number = number;
        this.reservation = reservation;
    }

    public static ReservedPort any() {
        for (int i = 0; i < TRIES; i++) {
            Optional<ReservedPort> port = of(ThreadLocalRandom.current().nextInt(FIRST, LAST));
            if (port.isPresent()) {
                return port.get();
            }
        }
        throw new IllegalStateException("no free port among " + TRIES + " tried between " + FIRST + " and " + LAST);
    }

    /** Reserves the port with this number; empty if it is reserved already, or in use. */
    public static Optional<ReservedPort> of(int number) {
        DatagramSocket reservation = reserve(number);
        if (reservation == null) {
            return Optional.empty();
        }
        if (isFree(number) && isFree(number + BUS_OFFSET)) {
            return Optional.of(new ReservedPort(number, reservation));
        }
        reservation.close();
        return Optional.empty();
    }

    private static @Nullable DatagramSocket reserve(int number) {
        try {
            return new DatagramSocket(new InetSocketAddress("127.0.0.1", number));
        } catch (SocketException taken) {
            return null;
        }
    }

    private static boolean isFree(int number) {
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
