package io.distributedlock.benchmarks.cycle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.logging.LogManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * The child process: it answers each run that it reads with what JMH measured, one line of JSON each. Its arguments are
 * the peer and the port of Redis.
 */
final class CycleProcess {

    static final JsonMapper JSON = JsonMapper.shared();
    static final String FAILURE = "failure";
    static final String END = "end";

    private CycleProcess() {}

    public static void main(String[] arguments) throws IOException {
        LogManager.getLogManager().reset();
        BufferedReader runs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = runs.readLine(); line != null && !line.equals(END); line = runs.readLine()) {
            System.out.println(answer(JSON.readValue(line, CycleRun.class), arguments));
        }
        System.exit(0);
    }

    private static String answer(CycleRun run, String[] arguments) {
        try {
            return JSON.writeValueAsString(run.of(arguments[0], arguments[1]));
        } catch (RuntimeException failed) {
            return JSON.writeValueAsString(Map.of(FAILURE, String.valueOf(failed.getMessage())));
        }
    }
}
