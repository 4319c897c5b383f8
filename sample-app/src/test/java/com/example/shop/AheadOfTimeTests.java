package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** The shop is prepared as {@code spring-boot:process-aot} prepares it, and run from that. */
@Tag("long")
class AheadOfTimeTests {

    @TempDir
    private Path folder;

    @Test
    void theShopTakesLocksWithoutReadingItsConfigurationAtTheStart() throws Exception {
        prepare();
        assertThat(Files.readString(folder.resolve("prepared")
                                .resolve("META-INF/native-image/com.example/shop/reachability-metadata.json"))
                        .replace("\\/", "/"))
                .contains("io/distributedlock/redis/script/*.lua")
                .contains("LettuceConnectionFactory");
        try (JavaProcess process =
                run("shop.log", "-Dspring.aot.enabled=true", ShopApplication.class.getName(), "--server.port=0")) {
            Shop shop = process.awaitShop();
            assertThat(process.text()).contains("Starting AOT-processed ShopApplication");
            shop.order(42, 7).success(201);
            assertThat(shop.post("/demo/flash-sale?buyers=20&stock=10&lock=lock")
                            .status())
                    .isEqualTo(200);
        }
    }

    /** What Boot's Maven plugin does: generate, and compile what was generated. */
    private void prepare() throws IOException, InterruptedException {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Path prepared = Files.createDirectory(folder.resolve("prepared"));
        try (JavaProcess process = run(
                "prepare.log",
                SpringApplicationAotProcessor.class.getName(),
                ShopApplication.class.getName(),
                sources.toString(),
                prepared.toString(),
                prepared.toString(),
                "com.example",
                "shop")) {
            process.awaitSuccess();
        }
        compile(sources, prepared);
    }

    private void compile(Path sources, Path target) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(sources)) {
            List<Path> units =
                    all.filter(file -> file.toString().endsWith(".java")).toList();
            List<String> options = List.of(
                    "-d", target.toString(), "-cp", target + File.pathSeparator + JavaProcess.CLASS_PATH, "-proc:none");
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(units))
                            .call())
                    .isTrue();
        }
    }

    private JavaProcess run(String log, String... words) throws IOException {
        String classPath = folder.resolve("prepared") + File.pathSeparator + JavaProcess.CLASS_PATH;
        return JavaProcess.start(
                Path.of(System.getProperty("java.home")), classPath, folder.resolve(log), List.of(words));
    }
}
