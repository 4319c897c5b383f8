package io.distributedlock.benchmarks.cycle;

import io.distributedlock.benchmarks.child.Cpu;
import io.distributedlock.benchmarks.server.Work;
import io.distributedlock.testkit.resp.RespClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** The processor time that a cycle costs the client's process and the server. JMH creates it by its class. */
public final class CpuProfiler implements InternalProfiler {

    static final String CLIENT = "cpu.client";
    static final String SERVER = "cpu.server";

    private static final double NANOS_PER_MICRO = 1e3;

    private @Nullable RespClient redis;
    private Cpu client = Cpu.now();
    private Duration server = Duration.ZERO;

    @Override
    public String getDescription() {
        return "processor time of client and server for each cycle";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        server = serverCpu(benchmark);
        client = Cpu.now();
    }

    @Override
    @SuppressWarnings("rawtypes") // The signature of JMH.
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long cycles = result.getMetadata().getAllOps();
        Duration clientCpu = client.usedSince();
        Duration serverCpu = serverCpu(benchmark).minus(server);
        return List.of(microseconds(CLIENT, clientCpu, cycles), microseconds(SERVER, serverCpu, cycles));
    }

    private static ScalarResult microseconds(String name, Duration used, long cycles) {
        return new ScalarResult(name, used.toNanos() / NANOS_PER_MICRO / cycles, "us/cycle", AggregationPolicy.AVG);
    }

    private Duration serverCpu(BenchmarkParams benchmark) {
        RespClient connected = redis;
        if (connected == null) {
            connected = RespClient.connect(Integer.parseInt(benchmark.getParam("port")));
            redis = connected;
        }
        return Work.cpu(String.valueOf(connected.command("INFO", "cpu")));
    }
}
