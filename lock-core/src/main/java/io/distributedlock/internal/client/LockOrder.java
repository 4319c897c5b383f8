package io.distributedlock.internal.client;

import io.distributedlock.LockHandle;
import io.distributedlock.internal.support.Warnings;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Warns once of two lock names that are requested inside each other in both orders: two such calls, in whichever
 * processes, can wait for each other until their wait times end. It compares names, not keys, and sees the requests of
 * one template only.
 */
final class LockOrder {

    /** Pairs of names that are remembered, because names may come from data. */
    private static final int MAX_PAIRS = 1_000;

    private final Set<Nesting> seen = ConcurrentHashMap.newKeySet();
    private final Set<Set<String>> warned = ConcurrentHashMap.newKeySet();

    /** @param outer the locks that the thread runs under when it requests this one */
    void requested(List<LockHandle> outer, String inner) {
        for (LockHandle lock : outer) {
            Nesting nesting = new Nesting(lock.name(), inner);
            if (!lock.name().equals(inner) && !seen.contains(nesting)) {
                if (seen.size() < MAX_PAIRS) {
                    seen.add(nesting);
                }
                warnOf(nesting);
            }
        }
    }

    /** Of two requests that come at once, at least one sees the other's pair. */
    private void warnOf(Nesting nesting) {
        String outer = nesting.outer();
        String inner = nesting.inner();
        if (seen.contains(new Nesting(inner, outer)) && warned.add(Set.of(outer, inner))) {
            Warnings.write(
                    LockOrder.class,
                    "Lock '" + inner + "' is requested inside of '" + outer + "', and elsewhere '" + outer
                            + "' inside of '" + inner + "'. Two such calls can wait for each other until their wait"
                            + " times end. Take both in the same order everywhere, or one lock in place of both");
        }
    }

    private record Nesting(String outer, String inner) {}
}
