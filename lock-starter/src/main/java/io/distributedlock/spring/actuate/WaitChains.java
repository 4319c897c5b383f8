package io.distributedlock.spring.actuate;

import io.distributedlock.LockHolder;
import io.distributedlock.LockReport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of the listed locks are held by a client that waits for another one of them, and where such chains go round in
 * a circle. Threads of other processes are not known, so a link means that two calls of the client <em>may</em> be the
 * same one: it is left out if the client began to wait before it asked for the lock that it holds.
 */
final class WaitChains {

    private static final int MAX_LINKS = 100;
    /** The ages of holders and of waiters come from two clocks. */
    private static final Duration CLOCKS = Duration.ofSeconds(1);

    private final Map<String, Map<String, LockHolder>> links = new LinkedHashMap<>();

    private WaitChains(Collection<LockReport.Listed> locks) {
        Map<String, List<Held>> awaited = new HashMap<>();
        for (LockReport.Listed lock : locks) {
            if (!lock.waiters().isEmpty()) {
                lock.holders()
                        .forEach(holder -> awaited.computeIfAbsent(holder.client(), any -> new ArrayList<>())
                                .add(new Held(lock.id(), holder)));
            }
        }
        for (LockReport.Listed lock : locks) {
            for (LockHolder waiter : lock.waiters()) {
                awaited.getOrDefault(waiter.client(), List.of()).stream()
                        .filter(held -> !held.id().equals(lock.id()) && mayBeOneCall(held.holder(), waiter))
                        .forEach(held -> links.computeIfAbsent(held.id(), any -> new LinkedHashMap<>())
                                .putIfAbsent(lock.id(), held.holder()));
            }
        }
    }

    /** @param locks one page of all locks; what is on other pages is not seen */
    static List<Link> of(Collection<LockReport.Listed> locks) {
        WaitChains chains = new WaitChains(locks);
        Map<String, Set<String>> reached = new HashMap<>();
        List<Link> all = new ArrayList<>();
        chains.links.forEach((lock, next) -> next.forEach((wanted, holder) -> all.add(new Link(
                lock,
                holder,
                wanted,
                reached.computeIfAbsent(wanted, chains::reachable).contains(lock)))));
        return all.stream()
                .sorted(Comparator.comparing(Link::circle).reversed())
                .limit(MAX_LINKS)
                .toList();
    }

    private static boolean mayBeOneCall(LockHolder held, LockHolder waits) {
        Duration since = held.age();
        Duration waited = waits.age();
        return since == null || waited == null || since.plus(CLOCKS).compareTo(waited) >= 0;
    }

    private Set<String> reachable(String from) {
        Set<String> seen = new HashSet<>();
        Deque<String> left = new ArrayDeque<>(List.of(from));
        while (!left.isEmpty()) {
            for (String next : links.getOrDefault(left.removeFirst(), Map.of()).keySet()) {
                if (seen.add(next)) {
                    left.addLast(next);
                }
            }
        }
        return seen;
    }

    private record Held(String id, LockHolder holder) {}

    /**
     * A client that holds a lock, for which others wait, waits for another lock itself.
     *
     * @param lock what it holds
     * @param waitsFor what it waits for
     * @param circle whether that leads back to the lock, so that the calls may wait for each other for ever
     */
    public record Link(String lock, LockHolder holder, String waitsFor, boolean circle) {}
}
