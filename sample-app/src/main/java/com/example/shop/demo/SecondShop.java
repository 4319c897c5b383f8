package com.example.shop.demo;

import com.example.redis.RedisLine;
import com.example.shop.ShopApplication;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.stereotype.Component;

/** Starts this shop once more, as a process of its own on the same Redis, and kills it. */
@Component
public class SecondShop implements DisposableBean {

    private final @Nullable RedisLine line;
    private final String ttl;
    private @Nullable Process process;

    SecondShop(ObjectProvider<RedisLine> line, @Value("${distributed-lock.ttl:30s}") String ttl) {
        this.line = line.getIfAvailable();
        this.ttl = ttl;
    }

    /** @param running false once it has ended or was killed */
    public record Status(long pid, boolean running) {}

    /** Empty before the first one was started. */
    public synchronized Optional<Status> status() {
        Process last = process;
        return last == null ? Optional.empty() : Optional.of(new Status(last.pid(), last.isAlive()));
    }

    /**
     * Returns before it is ready; false if one runs already, or if Redis is not the embedded one.
     *
     * @throws IOException if this machine does not start another JVM
     */
    synchronized boolean start() throws IOException {
        Process last = process;
        if (line == null || (last != null && last.isAlive())) {
            return false;
        }
        process = new ProcessBuilder(command(line.serverPort()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return true;
    }

    /** Ends it at once, as {@code kill -9} does; false if none runs. */
    synchronized boolean kill() {
        Process last = process;
        if (last == null || !last.isAlive()) {
            return false;
        }
        last.destroyForcibly();
        return true;
    }

    private List<String> command(int redisPort) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
        File source = new ApplicationHome(ShopApplication.class).getSource();
        words.addAll(
                source != null && source.isFile()
                        ? List.of("-jar", source.getPath())
                        : List.of("-cp", System.getProperty("java.class.path"), ShopApplication.class.getName()));
        words.addAll(List.of(
                "--spring.data.redis.url=redis://127.0.0.1:" + redisPort,
                "--distributed-lock.ttl=" + ttl,
                "--server.port=0",
                "--shop.second=true"));
        return words;
    }

    @Override
    public void destroy() {
        kill();
    }
}
