package io.distributedlock.internal.acquire;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Money that many threads move between a few accounts, in all directions. The balances are plain fields: without both locks some of it would get
 * lost, and with both in the order of the arguments two transfers would wait for each other.
 */
public final class Handovers {

    private static final int ACCOUNTS = 5;
    private static final int EACH = 1_000;
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final int[] balances = new int[ACCOUNTS];
    private final LockTemplate template;

    public Handovers(LockClient client) {
        this.template = new LockTemplate(client);
        Arrays.fill(balances, EACH);
    }

    /** Makes all transfers; fails if one of them can't be made in time. Gives how much money there is afterwards, less what there was. */
    public int run(int threads, int transfersOfEach) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Boolean>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Random random = new Random(thread);
                all.add(() -> {
                    for (int i = 0; i < transfersOfEach; i++) {
                        transfer(random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS), random.nextInt(10));
                    }
                    return true;
                });
            }
            for (Future<Boolean> done : pool.invokeAll(all)) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }
        return Arrays.stream(balances).sum() - ACCOUNTS * EACH;
    }

    private void transfer(int from, int to, int amount) {
        LockRequest both = LockRequest.ofAll("transfer", List.of("account-" + from, "account-" + to))
                .withWaitTime(WAIT);
        template.run(both, locks -> {
            int source = balances[from];
            int target = balances[to];
            Thread.yield();
            if (from != to) {
                balances[from] = source - amount;
                balances[to] = target + amount;
            }
        });
    }
}
