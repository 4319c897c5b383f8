package io.distributedlock.benchmarks.renewal;

import io.distributedlock.benchmarks.contender.Library;
import java.util.ArrayList;
import java.util.List;

/** What this project promises about renewals, held against what was seen. */
final class Targets {

    private static final long HEAP_PER_LOCK = 500;

    /** With fewer locks, what the process does besides counts more than the locks. */
    private static final int ENOUGH = 10_000;

    private Targets() {}

    /** What Redisson needed for as many locks. */
    static RenewalResult redisson(List<RenewalResult> results, int locks) {
        return results.stream()
                .filter(each -> each.library() == Library.REDISSON && each.locks() == locks)
                .findFirst()
                .orElseThrow();
    }

    /** One sentence for each promise that was not kept. */
    static List<String> missed(List<RenewalResult> results) {
        List<String> missed = new ArrayList<>();
        results.stream()
                .filter(each -> each.library() == Library.DISTRIBUTED_LOCK)
                .forEach(own -> missed.addAll(missed(own, redisson(results, own.locks()))));
        return missed;
    }

    private static List<String> missed(RenewalResult own, RenewalResult redisson) {
        List<String> missed = new ArrayList<>();
        String start = "NOT KEPT: " + own.locks() + " locks: ";
        if (own.lost() > 0) {
            missed.add(start + own.lost() + " were lost");
        }
        if (own.client().compareTo(redisson.client()) > 0) {
            missed.add(start + "renewing them took more processor time than with Redisson");
        }
        if (own.locks() >= ENOUGH && own.heapPerLock() > HEAP_PER_LOCK) {
            missed.add(start + own.heapPerLock() + " bytes of heap for each, the bound is " + HEAP_PER_LOCK);
        }
        return missed;
    }
}
