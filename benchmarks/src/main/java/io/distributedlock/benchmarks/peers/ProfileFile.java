package io.distributedlock.benchmarks.peers;

import java.nio.file.Path;

/** Where flight recordings go: the file that was asked for, with the scenario before the end of its name. */
record ProfileFile(Path asked) {

    /** How many threads are recorded where there is a choice. */
    static final int THREADS = 32;

    Path of(String scenario) {
        String name = asked.getFileName().toString();
        int end = name.endsWith(".jfr") ? name.length() - ".jfr".length() : name.length();
        return asked.toAbsolutePath().resolveSibling(name.substring(0, end) + "-" + scenario + ".jfr");
    }

    String jvmOption(String scenario) {
        return "-XX:StartFlightRecording=settings=profile,filename=" + of(scenario);
    }
}
