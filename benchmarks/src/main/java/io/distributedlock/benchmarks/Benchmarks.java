package io.distributedlock.benchmarks;

import io.distributedlock.benchmarks.incident.Incident;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/** The command line: runs one program, or lists them all. The exit code is 0 if everything promised was seen, 1 if not, 2 on wrong usage. */
final class Benchmarks {

    private static final String USAGE = "usage: benchmarks/run PROGRAM [--json FILE]";
    private static final List<Program> PROGRAMS = List.of(new Incident());

    private Benchmarks() {}

    public static void main(String[] arguments) {
        // What the libraries log about the faults that are made here would drown the table.
        LogManager.getLogManager().reset();
        System.exit(codeOf(List.of(arguments)));
    }

    /** Whatever happens there is a code, because threads that some of the libraries leave behind would keep this process alive. */
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
        boolean wantsJson = arguments.size() == 3 && arguments.get(1).equals("--json");
        if (program.isEmpty() || (arguments.size() > 1 && !wantsJson)) {
            System.err.println(USAGE);
            return 2;
        }
        return run(program.get(), wantsJson ? Path.of(arguments.get(2)) : null);
    }

    private static int run(Program program, @Nullable Path json) {
        Report report = program.run(System.err);
        System.out.println(TextReport.of(report));
        if (json != null) {
            JsonReport.write(report, json);
        }
        return report.kept() ? 0 : 1;
    }
}
