package io.distributedlock.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses loopback ports that nobody listens on at this moment.
 *
 * <p>The range lies below the one from which systems take the ports of outgoing connections, so a port that is freed
 * by a killed server is not taken by accident before its restart, and no client of it connects to itself. The port 10,000 higher, which Redis Cluster uses for
 * its bus, is free as well.
 */
final class FreePort {
    private static final int FIRST = 10_000;
    private static final int LAST = 22_000;
    private static final int BUS_OFFSET = 10_000;
    private static final int TRIES = 1_000;

    private FreePort() {}

    static int choose() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && isFree(port + BUS_OFFSET)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port among " + TRIES + " tried between " + FIRST + " and " + LAST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
