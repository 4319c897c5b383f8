package io.distributedlock.simulation.server;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Members by their score, and in the order of their bytes where the score is the same. */
final class SortedSet {

    private static final double EXACT = 1e17;

    private final Map<String, Double> scores = new HashMap<>();
    private final TreeSet<Member> order = new TreeSet<>();

    record Member(double score, String name) implements Comparable<Member> {

        @Override
        public int compareTo(Member other) {
            int byScore = Double.compare(score, other.score);
            return byScore == 0 ? name.compareTo(other.name) : byScore;
        }
    }

    SortedSet copy() {
        SortedSet copy = new SortedSet();
        scores.forEach((name, score) -> copy.put(name, score));
        return copy;
    }

    int size() {
        return order.size();
    }

    @Nullable
    Double score(String name) {
        return scores.get(name);
    }

    void put(String name, double score) {
        Double before = scores.put(name, score);
        if (before != null) {
            order.remove(new Member(before, name));
        }
        order.add(new Member(score, name));
    }

    boolean remove(String name) {
        Double before = scores.remove(name);
        return before != null && order.remove(new Member(before, name));
    }

    List<Member> all() {
        return new ArrayList<>(order);
    }

    static String text(double score) {
        if (score == Math.rint(score) && Math.abs(score) < EXACT) {
            return Long.toString((long) score);
        }
        if (Double.isInfinite(score)) {
            return score > 0 ? "inf" : "-inf";
        }
        return BigDecimal.valueOf(score).stripTrailingZeros().toPlainString();
    }
}
