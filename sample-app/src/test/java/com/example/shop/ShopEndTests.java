package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.process.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShopEndTests {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int EXIT_AFTER_SIGTERM = 143;

    @Test
    void aTerminatedShopTakesItsRedisAlong() {
        try (ChildJvm shop = ChildJvm.start(ShopApplication.class, "--server.port=0")) {
            int redisPort = redisPortOf(shop);
            assertThat(isOpen(redisPort)).isTrue();
            shop.awaitLine(line -> line.contains("Started ShopApplication"), LONG);

            ProcessHandle.of(shop.pid()).orElseThrow().destroy();

            assertThat(shop.exitCode()).isEqualTo(EXIT_AFTER_SIGTERM);
            assertThat(isOpen(redisPort)).isFalse();
        }
    }

    @Test
    void aKilledShopTakesItsRedisAlong() {
        try (ChildJvm shop = ChildJvm.start(ShopApplication.class, "--server.port=0")) {
            int redisPort = redisPortOf(shop);
            assertThat(isOpen(redisPort)).isTrue();

            shop.kill();

            await().atMost(LONG).until(() -> !isOpen(redisPort));
        }
    }

    private static int redisPortOf(ChildJvm shop) {
        String line = shop.awaitLine(l -> l.contains("embedded Redis at"), LONG);
        return Integer.parseInt(line.replaceAll(".*redis://127\\.0\\.0\\.1:(\\d+).*", "$1"));
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }
}
