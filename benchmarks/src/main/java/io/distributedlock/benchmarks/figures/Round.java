package io.distributedlock.benchmarks.figures;

import java.util.List;
import java.util.Map;

/**
 * What one round of one peer gave.
 *
 * @param values by heading
 * @param remarks what went wrong, if anything
 */
public record Round(Map<String, Double> values, List<String> remarks) {

    public static Round of(Map<String, Double> values) {
        return new Round(values, List.of());
    }
}
