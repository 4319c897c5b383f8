package io.distributedlock.benchmarks.figures;

import java.util.Locale;

/** Figures as a table shows them: three digits that count. */
public final class Digits {

    private Digits() {}

    public static String of(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** The median, and the smallest and largest in brackets. */
    public static String of(Spread spread) {
        return of(spread.median()) + " [" + of(spread.min()) + ".." + of(spread.max()) + "]";
    }
}
