package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same classes on the newest JDK that is installed beside the one of this build; skipped if there is no newer one. */
@Tag("long")
class NewerJavaTests {

    private static final Path HERE = Path.of(System.getProperty("java.home"));
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");

    @Test
    void theShopTakesLocksOnANewerJava(@TempDir Path folder) throws Exception {
        Optional<Path> newest = newest();
        assumeTrue(newest.isPresent(), "no JDK newer than " + Runtime.version().feature() + " beside " + HERE);
        Path home = newest.orElseThrow();
        List<String> words = List.of(ShopApplication.class.getName(), "--server.port=0");
        try (JavaProcess process = JavaProcess.start(home, JavaProcess.CLASS_PATH, folder.resolve("log"), words)) {
            Shop shop = process.awaitShop();
            assertThat(process.text()).contains("using Java " + versionOf(home));
            shop.order(42, 7).success(201);
            assertThat(shop.get("/actuator/locks").status()).isEqualTo(200);
        }
    }

    private static Optional<Path> newest() throws IOException {
        try (Stream<Path> homes = Files.list(HERE.resolveSibling("."))) {
            return homes.filter(home -> versionOf(home) > Runtime.version().feature())
                    .max(Comparator.comparingInt(NewerJavaTests::versionOf));
        }
    }

    /** Zero for what is no JDK. */
    private static int versionOf(Path home) {
        Path release = home.resolve("release");
        if (!Files.isRegularFile(release)
                || !Files.isExecutable(home.resolve("bin").resolve("java"))) {
            return 0;
        }
        try {
            Matcher version = VERSION.matcher(Files.readString(release));
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
