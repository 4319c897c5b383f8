package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.testkit.RedisServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Runs of scenes, some at a time; each has its own lock, its own clients and its own line to the same Redis. */
final class Runs implements AutoCloseable {

    private final ExecutorService players;
    private final ExecutorService background = Executors.newCachedThreadPool();
    private final RedisServer redis;
    private final PrintStream progress;

    Runs(RedisServer redis, int parallel, PrintStream progress) {
        this.players = Executors.newFixedThreadPool(parallel);
        this.redis = redis;
        this.progress = progress;
    }

    /** Plays every scene with every library, so many times each. */
    List<Finding> of(List<Library> libraries, int times) {
        List<CompletableFuture<Finding>> findings = new ArrayList<>();
        for (Scene scene : Scene.values()) {
            for (Library library : libraries) {
                findings.add(of(scene, library, times));
            }
        }
        return findings.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<Finding> of(Scene scene, Library library, int times) {
        List<CompletableFuture<Sighting>> runs = IntStream.range(0, times)
                .mapToObj(run -> CompletableFuture.supplyAsync(() -> play(scene, library, run), players))
                .toList();
        return CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    progress.println(library.title() + ": " + scene.title() + ", " + times + " runs done");
                    return new Finding(
                            scene,
                            library,
                            runs.stream().map(CompletableFuture::join).toList());
                });
    }

    private Sighting play(Scene scene, Library library, int run) {
        try (Stage stage = new Stage(scene, library, run, redis, background)) {
            return scene == Scene.CLIENT_KILLED ? KilledClient.play(stage) : DisturbedCall.play(stage);
        }
    }

    @Override
    public void close() {
        players.shutdownNow();
        background.shutdownNow();
    }
}
