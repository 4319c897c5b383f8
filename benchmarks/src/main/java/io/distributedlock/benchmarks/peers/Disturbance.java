package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.figures.Digits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * How busy other programs kept the machine while a scenario ran: all processor time but that of this process and of its
 * children. Known on Linux only, and only once those children have ended.
 */
final class Disturbance {

    private static final Path MACHINE = Path.of("/proc/stat");
    private static final Path SELF = Path.of("/proc/self/stat");
    /** Idle and waiting for disks, in the order of the file. */
    private static final int FIRST_IDLE = 3;

    private static final int LAST_IDLE = 4;
    /** User and system time of this process and of its children that have ended, counted from behind the name. */
    private static final int FIRST_OWN = 11;

    private static final int OWN = 4;

    private final Optional<Ticks> begin = Ticks.now();

    /** All in the same unit, by which nothing depends on how long it is. */
    private record Ticks(long all, long idle, long own) {

        static Optional<Ticks> now() {
            try {
                long[] machine = numbers(Files.readAllLines(MACHINE).get(0).replaceFirst("\\S+\\s+", ""));
                String self = Files.readString(SELF);
                String[] fields = self.substring(self.lastIndexOf(')') + 2).split(" ");
                long own = Arrays.stream(fields, FIRST_OWN, FIRST_OWN + OWN)
                        .mapToLong(Long::parseLong)
                        .sum();
                // Time of guests, at the end, is contained in user time.
                long all = LongStream.of(machine).limit(LAST_IDLE + OWN).sum();
                return Optional.of(new Ticks(all, machine[FIRST_IDLE] + machine[LAST_IDLE], own));
            } catch (IOException otherSystem) {
                return Optional.empty();
            }
        }

        private static long[] numbers(String line) {
            return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
        }
    }

    /** A sentence about the time since this was created; empty if it isn't known. */
    Optional<String> text() {
        return begin.flatMap(from -> Ticks.now().map(to -> {
            double all = to.all - from.all;
            double others = all - (to.idle - from.idle) - (to.own - from.own);
            return "Other programs used " + Digits.of(100 * Math.max(0, others) / all)
                    + " % of the processors meanwhile.";
        }));
    }
}
