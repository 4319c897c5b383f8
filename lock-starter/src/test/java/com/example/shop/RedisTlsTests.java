package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.process.ReservedPort;
import io.distributedlock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A Redis that also speaks TLS, with a certificate that only the application's SSL bundle trusts. */
class RedisTlsTests {

    private static final String STORE_PASSWORD = "changeit";

    @TempDir
    private static Path folder;

    private static final List<RedisServer> QUORUM = new ArrayList<>();
    private static final List<ReservedPort> PORTS = new ArrayList<>();

    private static RedisServer redis;
    private static int tlsPort;

    @BeforeAll
    static void start() throws Exception {
        makeCertificate();
        tlsPort = freePort();
        redis = start(tlsPort);
    }

    private static RedisServer start(int port) {
        return RedisServer.start(
                "--tls-port",
                String.valueOf(port),
                "--tls-cert-file",
                folder.resolve("cert.pem").toString(),
                "--tls-key-file",
                folder.resolve("key.pem").toString(),
                "--tls-ca-cert-file",
                folder.resolve("cert.pem").toString(),
                "--tls-auth-clients",
                "no");
    }

    @AfterAll
    static void stop() {
        redis.close();
        QUORUM.forEach(RedisServer::close);
        PORTS.forEach(ReservedPort::close);
    }

    @Test
    void locksUseTheSslBundleOfTheApplicationsConnection() {
        try (ConfigurableApplicationContext shop = ShopApplication.start(
                        "spring.data.redis.port=" + tlsPort,
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.pem.redis.truststore.certificate=file:" + folder.resolve("cert.pem"));
                LockHandle held = shop.getBean(LockClient.class).acquire("42")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(redis.command("EXISTS", "lock:{42}")).isEqualTo(1L);
        }
    }

    @Test
    void locksOfAnApplicationOnJedisUseTheSslBundleOfItsConnection() {
        try (ConfigurableApplicationContext shop = ShopApplication.start(
                        "spring.data.redis.client-type=jedis",
                        "spring.data.redis.port=" + tlsPort,
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.pem.redis.truststore.certificate=file:" + folder.resolve("cert.pem"));
                LockHandle held = shop.getBean(LockClient.class).acquire("jedis")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(redis.command("EXISTS", "lock:{jedis}")).isEqualTo(1L);
        }
    }

    @Test
    void theNodesOfAQuorumCanHaveAnSslBundleOfTheirOwn() throws Exception {
        List<String> urls = new ArrayList<>(List.of("rediss://localhost:" + tlsPort));
        for (int i = 0; i < 2; i++) {
            int port = freePort();
            QUORUM.add(start(port));
            urls.add("rediss://127.0.0.1:" + port);
        }
        try (ConfigurableApplicationContext shop = ShopApplication.start(
                        "distributed-lock.store=quorum",
                        "distributed-lock.quorum.urls=" + String.join(",", urls),
                        "distributed-lock.quorum.restart-quarantine=0",
                        "distributed-lock.quorum.ssl-bundle=nodes",
                        "spring.ssl.bundle.pem.nodes.truststore.certificate=file:" + folder.resolve("cert.pem"));
                LockHandle held = shop.getBean(LockClient.class).acquire("quorum")) {
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void anUntrustedCertificateIsNotAccepted() {
        try (ConfigurableApplicationContext shop = ShopApplication.start(
                "spring.data.redis.port=" + tlsPort,
                "spring.data.redis.ssl.enabled=true",
                "distributed-lock.wait-time=1s")) {
            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> shop.getBean(LockClient.class).acquire("42"))
                    .withMessageContaining("Redis can't be reached")
                    .withStackTraceContaining("unable to find valid certification path");
        }
    }

    private static int freePort() {
        ReservedPort port = ReservedPort.any();
        PORTS.add(port);
        return port.number();
    }

    private static void makeCertificate() throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        STORE_PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        export(store);
    }

    private static void export(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, STORE_PASSWORD.toCharArray());
        }
        writePem("cert.pem", "CERTIFICATE", store.getCertificate("redis").getEncoded());
        writePem(
                "key.pem",
                "PRIVATE KEY",
                store.getKey("redis", STORE_PASSWORD.toCharArray()).getEncoded());
    }

    private static void writePem(String name, String type, byte[] content) throws IOException {
        String encoded = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                folder.resolve(name), "-----BEGIN " + type + "-----\n" + encoded + "\n-----END " + type + "-----\n");
    }
}
