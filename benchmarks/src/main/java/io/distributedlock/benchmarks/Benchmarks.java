package io.distributedlock.benchmarks;

import io.distributedlock.benchmarks.annotation.Overhead;
import io.distributedlock.benchmarks.charts.Charts;
import io.distributedlock.benchmarks.incident.Incident;
import io.distributedlock.benchmarks.peers.Peers;
import io.distributedlock.benchmarks.readwrite.ReadWrite;
import io.distributedlock.benchmarks.renewal.Renewal;
import io.distributedlock.benchmarks.startup.StartUp;
import io.distributedlock.benchmarks.topologies.Topologies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * The command line: runs one program, or lists them all. The exit code is 0 if everything promised was seen, 1 if not,
 * 2 on wrong usage.
 */
final class Benchmarks {

    private static final String USAGE =
            "usage: benchmarks/run PROGRAM [--json FILE] [--server COMMAND] [OPTIONS OF THE PROGRAM]";
    private static final String JSON = "--json";
    private static final String SERVER = "--server";
    /** Where the test servers look for the command line of another server than the embedded one. */
    private static final String SERVER_PROPERTY = "distributedlock.redis-server";

    private static final List<Program> PROGRAMS = List.of(
            new Incident(),
            new Peers(),
            new Renewal(),
            new Overhead(),
            new StartUp(),
            new Topologies(),
            new ReadWrite(),
            new Charts());

    private Benchmarks() {}

    public static void main(String[] arguments) {
        // What the libraries log about the faults that are made here would drown the table.
        LogManager.getLogManager().reset();
        System.exit(codeOf(List.of(arguments)));
    }

    /**
     * Whatever happens there is a code, because threads that some of the libraries leave behind would keep this process
     * alive.
     */
    private static int codeOf(List<String> arguments) {
        try {
            return run(arguments);
        } catch (RuntimeException failure) {
            failure.printStackTrace();
            return 1;
        }
    }

    private static int run(List<String> arguments) {
        if (arguments.isEmpty()) {
            System.out.println(USAGE);
            PROGRAMS.forEach(each -> System.out.printf("  %-12s %s%n", each.name(), each.purpose()));
            return 0;
        }
        Optional<Program> program = PROGRAMS.stream()
                .filter(each -> each.name().equals(arguments.get(0)))
                .findFirst();
        if (program.isEmpty()) {
            System.err.println(USAGE);
            return 2;
        }
        try {
            return run(program.get(), new ArrayList<>(arguments.subList(1, arguments.size())));
        } catch (WrongUsage wrong) {
            System.err.println(
                    wrong.getMessage() + "\n" + USAGE + "\n  " + program.get().purpose());
            return 2;
        }
    }

    private static int run(Program program, List<String> options) {
        String json = take(JSON, options);
        String server = take(SERVER, options);
        if (server != null) {
            System.setProperty(SERVER_PROPERTY, server);
        }
        Report report = program.run(options, System.err);
        System.out.println(TextReport.of(report));
        if (json != null) {
            JsonReport.write(report, Path.of(json));
        }
        return report.kept() ? 0 : 1;
    }

    private static @Nullable String take(String option, List<String> options) {
        int at = options.indexOf(option);
        if (at < 0) {
            return null;
        }
        options.remove(at);
        if (at == options.size()) {
            throw new WrongUsage(option + " needs a value");
        }
        return options.remove(at);
    }
}
