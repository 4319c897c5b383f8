package io.distributedlock.testkit.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Spans of time, merged where they touch, in order. */
public final class Windows {
    private final List<Span> spans;

    /** From one instant to another, both included. */
    public record Span(long begin, long end) {}

    private Windows(List<Span> spans) {
        this.spans = spans;
    }

    static Windows of(List<Span> spans) {
        List<Span> sorted = new ArrayList<>(spans);
        sorted.sort(Comparator.comparingLong(Span::begin));
        List<Span> merged = new ArrayList<>();
        for (Span span : sorted) {
            int last = merged.size() - 1;
            if (last >= 0 && span.begin() <= merged.get(last).end()) {
                Span before = merged.get(last);
                merged.set(last, new Span(before.begin(), Math.max(before.end(), span.end())));
            } else {
                merged.add(span);
            }
        }
        return new Windows(List.copyOf(merged));
    }

    /** In order; no two of them touch. */
    public List<Span> spans() {
        return spans;
    }

    public Windows and(Windows others) {
        List<Span> all = new ArrayList<>(spans);
        all.addAll(others.spans);
        return of(all);
    }

    /** Whether all of this time lies inside. */
    public boolean cover(long begin, long end) {
        int first = firstEndingAtOrAfter(begin);
        return first < spans.size()
                && spans.get(first).begin() <= begin
                && end <= spans.get(first).end();
    }

    public boolean contain(long instant) {
        return cover(instant, instant);
    }

    /** Whether any of this time lies inside. */
    public boolean touch(long begin, long end) {
        int first = firstEndingAtOrAfter(begin);
        return first < spans.size() && spans.get(first).begin() <= end;
    }

    /** When the last of the spans that touch this time ends, or {@code end} if that is later. */
    long lastEnd(long begin, long end) {
        long last = end;
        for (int i = firstEndingAtOrAfter(begin);
                i < spans.size() && spans.get(i).begin() <= end;
                i++) {
            last = Math.max(last, spans.get(i).end());
        }
        return last;
    }

    /** The instant at which {@code nanos} of time outside have passed since {@code from}. */
    long after(long from, long nanos) {
        long at = from;
        long left = nanos;
        for (int i = firstEndingAtOrAfter(from); i < spans.size(); i++) {
            Span span = spans.get(i);
            if (span.begin() - at >= left) {
                break;
            }
            left -= Math.max(0, span.begin() - at);
            at = Math.max(at, span.end());
        }
        return at + left;
    }

    /** How much of this time lies outside. */
    public long outside(long begin, long end) {
        long inside = 0;
        for (int i = firstEndingAtOrAfter(begin);
                i < spans.size() && spans.get(i).begin() < end;
                i++) {
            inside += Math.min(end, spans.get(i).end())
                    - Math.max(begin, spans.get(i).begin());
        }
        return end - begin - inside;
    }

    private int firstEndingAtOrAfter(long instant) {
        int low = 0;
        int high = spans.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).end() < instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
