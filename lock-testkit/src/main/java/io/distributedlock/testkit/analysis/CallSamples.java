package io.distributedlock.testkit.analysis;

import io.distributedlock.testkit.history.OwnerSample;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the samples of a key say about one granted call.
 *
 * @param owner the call's
 * @param before the last sample of the call before {@code missing} in which its owner was in Redis
 * @param missing the first sample in which it was not, though its client believed in the lock and no fault excused it
 */
public record CallSamples(String owner, Optional<OwnerSample> before, Optional<OwnerSample> missing) {
    private static final CallSamples NOTHING = new CallSamples("", Optional.empty(), Optional.empty());

    public static CallSamples of(Call call, Timeline timeline) {
        if (call.owner().isEmpty()) {
            return NOTHING;
        }
        List<OwnerSample> samples = timeline.samples(call.key());
        long slack = call.isLost() ? timeline.limits().signalSlack().toNanos() : 0;
        long end = call.heldUntil() - slack;
        Windows excused = timeline.excuses(call.process());
        for (int i = firstFrom(samples, call.grantedAt()); i < samples.size(); i++) {
            OwnerSample sample = samples.get(i);
            if (sample.end() >= end) {
                return NOTHING;
            }
            if (!sample.has(call.owner()) && !excused.contain(sample.end())) {
                return new CallSamples(call.owner(), lastBefore(samples, i, call), Optional.of(sample));
            }
        }
        return NOTHING;
    }

    /** The samples that may have been taken while this call was under way. */
    public static List<OwnerSample> during(Call call, Timeline timeline) {
        List<OwnerSample> samples = timeline.samples(call.key());
        int from = firstFrom(samples, call.begin());
        boolean running = from > 0 && samples.get(from - 1).end() >= call.begin();
        return samples.subList(running ? from - 1 : from, Math.max(from, firstFrom(samples, call.endedAt())));
    }

    /**
     * Whether the samples show the call's owner so long that it may have expired by itself before this instant: nothing
     * removed it as far as they tell. Without a sample of the owner they tell nothing, and this is false.
     */
    public static boolean mayHaveExpired(Call call, long instant, Timeline timeline) {
        if (call.owner().isEmpty()) {
            return false;
        }
        List<OwnerSample> samples = timeline.samples(call.key());
        int seen = -1;
        for (int i = firstFrom(samples, call.begin()); i < samples.size(); i++) {
            seen = samples.get(i).has(call.owner()) ? i : seen;
        }
        if (seen < 0) {
            return false;
        }
        long expiry = samples.get(seen).expiry(call.owner());
        boolean missed = seen + 1 < samples.size() && samples.get(seen + 1).end() < expiry;
        return expiry <= instant && !missed;
    }

    /** The first sample taken from this instant on that does not show the call's owner. */
    static Optional<OwnerSample> without(Call call, long instant, Timeline timeline) {
        List<OwnerSample> samples = timeline.samples(call.key());
        return samples.subList(firstFrom(samples, instant), samples.size()).stream()
                .filter(sample -> call.owner().isEmpty() ? sample.owners().isEmpty() : !sample.has(call.owner()))
                .findFirst();
    }

    /** Whether the owner is missing, and could have expired since it was last seen. */
    public boolean mayHaveExpired() {
        return before.isPresent() && missing.isPresent() && missing.get().end() >= expiry();
    }

    /** Whether the owner is missing, and could not have expired since it was last seen. */
    public boolean wasRemoved() {
        return before.isPresent() && missing.isPresent() && missing.get().end() < expiry();
    }

    /** The earliest instant at which Redis could let the owner expire. */
    private long expiry() {
        return before.orElseThrow().expiry(owner);
    }

    private static Optional<OwnerSample> lastBefore(List<OwnerSample> samples, int missing, Call call) {
        for (int i = missing - 1; i >= 0 && samples.get(i).begin() >= call.begin(); i--) {
            if (samples.get(i).has(call.owner())) {
                return Optional.of(samples.get(i));
            }
        }
        return Optional.empty();
    }

    /** The position of the first sample that began at this instant or later. */
    private static int firstFrom(List<OwnerSample> samples, long instant) {
        OwnerSample wanted = new OwnerSample("", instant, instant, "", Duration.ZERO);
        int found = Collections.binarySearch(samples, wanted, Comparator.comparingLong(OwnerSample::begin));
        return found < 0 ? -found - 1 : found;
    }
}
