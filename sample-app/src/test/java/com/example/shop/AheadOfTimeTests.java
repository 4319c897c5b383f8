package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** The shop is prepared as {@code spring-boot:process-aot} prepares it, and run from that. */
class AheadOfTimeTests {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void theShopTakesLocksWithoutReadingItsConfigurationAtTheStart() throws Exception {
        prepare();
        assertThat(Files.readString(folder.resolve("prepared")
                                .resolve("META-INF/native-image/com.example/shop/reachability-metadata.json"))
                        .replace("\\/", "/"))
                .contains("io/distributedlock/redis/*.lua")
                .contains("LettuceConnectionFactory");
        Path log = run("-Dspring.aot.enabled=true", ShopApplication.class.getName(), "--server.port=0");
        await().atMost(LIMIT)
                .failFast(() ->
                        assertThat(started.get(1).isAlive()).as("%s", text(log)).isTrue())
                .until(() -> PORT.matcher(text(log)).find());
        assertThat(text(log)).contains("Starting AOT-processed ShopApplication");
        Shop shop = Shop.openAt(port(log));
        shop.order(42, 7).success(201);
        assertThat(shop.post("/demo/flash-sale?buyers=20&stock=10&lock=lock").status())
                .isEqualTo(200);
    }

    /** What Boot's Maven plugin does: generate, and compile what was generated. */
    private void prepare() throws IOException, InterruptedException {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Path prepared = Files.createDirectory(folder.resolve("prepared"));
        Path log = run(
                SpringApplicationAotProcessor.class.getName(),
                ShopApplication.class.getName(),
                sources.toString(),
                prepared.toString(),
                prepared.toString(),
                "com.example",
                "shop");
        assertThat(started.get(0).waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(started.get(0).exitValue()).as("%s", text(log)).isZero();
        compile(sources, prepared);
    }

    private void compile(Path sources, Path target) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(sources)) {
            List<Path> units =
                    all.filter(file -> file.toString().endsWith(".java")).toList();
            List<String> options =
                    List.of("-d", target.toString(), "-cp", target + File.pathSeparator + CLASS_PATH, "-proc:none");
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(units))
                            .call())
                    .isTrue();
        }
    }

    /** Starts a JVM; gives where its output goes. */
    private Path run(String... words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-cp", folder.resolve("prepared") + File.pathSeparator + CLASS_PATH));
        command.addAll(List.of(words));
        Path log = folder.resolve("log" + started.size());
        started.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
        return log;
    }

    private static int port(Path log) {
        Matcher matcher = PORT.matcher(text(log));
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
