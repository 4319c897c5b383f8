package io.distributedlock.benchmarks.renewal;

import com.sun.management.OperatingSystemMXBean;
import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.testkit.process.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.logging.LogManager;

/** A process that holds locks of one library, and tells on demand what it has used. */
final class HoldingProcess implements AutoCloseable {

    private static final String WARM_UP = "warm-up";
    private static final String TAKE = "take";
    private static final String CPU = "cpu";
    private static final String HEAP = "heap";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int WARM_UP_LOCKS = 2_000;
    private static final int COLLECTIONS = 3;

    private final ChildJvm child;

    HoldingProcess(Library library, int port, int locks) {
        child = ChildJvm.start(HoldingProcess.class, library.name(), String.valueOf(port), String.valueOf(locks));
    }

    /** Takes and releases some other locks. */
    void warmUp() {
        ask(WARM_UP);
    }

    void takeAll() {
        ask(TAKE);
    }

    /** The processor time of the process since its start. */
    Duration cpu() {
        return Duration.ofNanos(ask(CPU));
    }

    /** The bytes on the heap that are still in use after a collection. */
    long heap() {
        return ask(HEAP);
    }

    private long ask(String question) {
        child.send(question);
        String answer = child.awaitLine(line -> line.startsWith(question + " "), LIMIT);
        return Long.parseLong(answer.substring(question.length() + 1));
    }

    @Override
    public void close() {
        child.close();
    }

    public static void main(String[] arguments) throws IOException {
        LogManager.getLogManager().reset();
        int locks = Integer.parseInt(arguments[2]);
        try (HeldLocks heldLocks = HeldLocks.of(Library.valueOf(arguments[0]), Integer.parseInt(arguments[1]))) {
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String question = questions.readLine(); question != null; question = questions.readLine()) {
                System.out.println(question + " " + answer(question, heldLocks, locks));
            }
        }
    }

    private static long answer(String question, HeldLocks heldLocks, int locks) {
        return switch (question) {
            case CPU ->
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
            case HEAP -> usedHeap();
            case TAKE -> {
                heldLocks.take("lock-", locks);
                yield locks;
            }
            case WARM_UP -> {
                heldLocks.take("warm-up-", WARM_UP_LOCKS);
                heldLocks.release();
                yield WARM_UP_LOCKS;
            }
            default -> throw new IllegalArgumentException(question);
        };
    }

    private static long usedHeap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
