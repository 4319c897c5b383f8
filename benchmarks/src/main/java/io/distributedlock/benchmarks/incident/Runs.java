package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.testkit.server.RedisServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Runs of cases, some at a time; each has its own lock, its own clients and its own link to the same Redis. */
final class Runs implements AutoCloseable {

    private final ExecutorService runners;
    private final ExecutorService background = Executors.newCachedThreadPool();
    private final RedisServer redis;
    private final PrintStream progress;

    Runs(RedisServer redis, int parallel, PrintStream progress) {
        this.runners = Executors.newFixedThreadPool(parallel);
        this.redis = redis;
        this.progress = progress;
    }

    /** Runs every case with every library, so many times each. */
    List<CaseResult> of(List<Library> libraries, int times) {
        List<CompletableFuture<CaseResult>> results = new ArrayList<>();
        for (FaultCase faultCase : FaultCase.values()) {
            for (Library library : libraries) {
                results.add(of(faultCase, library, times));
            }
        }
        return results.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<CaseResult> of(FaultCase faultCase, Library library, int times) {
        List<CompletableFuture<RunResult>> runs = IntStream.range(0, times)
                .mapToObj(run -> CompletableFuture.supplyAsync(() -> run(faultCase, library, run), runners))
                .toList();
        return CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    progress.println(library.title() + ": " + faultCase.title() + ", " + times + " runs done");
                    return new CaseResult(
                            faultCase,
                            library,
                            runs.stream().map(CompletableFuture::join).toList());
                });
    }

    private RunResult run(FaultCase faultCase, Library library, int run) {
        try (RunSetup setup = new RunSetup(faultCase, library, run, redis, background)) {
            return faultCase == FaultCase.CLIENT_KILLED ? KilledClient.run(setup) : DisturbedCall.run(setup);
        }
    }

    @Override
    public void close() {
        runners.shutdownNow();
        background.shutdownNow();
    }
}
