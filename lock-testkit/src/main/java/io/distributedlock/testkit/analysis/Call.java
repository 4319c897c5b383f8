package io.distributedlock.testkit.analysis;

import io.distributedlock.testkit.history.CallTerms;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One call for a lock and all that came of it, put together from its events. */
public final class Call {
    /** Later than all that is recorded. */
    public static final long NEVER = Long.MAX_VALUE;

    private final List<Event> events;
    private final CallTerms terms;
    private final long killedAt;
    private final long grantedAt;
    private final long heldUntil;
    private final long endedAt;
    private final String owner;

    /** {@code events} are those of one hold in the order of time, at least one. */
    public Call(List<Event> events, long killedAt) {
        this.events = List.copyOf(events);
        this.terms = first(EventKind.INVOKE)
                .map(invoked -> CallTerms.parse(invoked.detail()))
                .orElse(CallTerms.EXCLUSIVE);
        this.killedAt = killedAt;
        this.grantedAt = at(EventKind.GRANTED);
        this.heldUntil = earliest(killedAt, EventKind.RELEASE_INVOKED, EventKind.LOST);
        this.endedAt = isGranted()
                ? Math.min(afterLoss(), earliest(killedAt, EventKind.RELEASED, EventKind.RELEASE_REPORTED_LOST))
                : Math.min(killedAt, outcome().map(Event::nanos).orElse(NEVER));
        this.owner = events.stream()
                .map(Event::owner)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** When the loss ends a call's hold for good: not if other locks go with it, which stay until they are released. */
    private long afterLoss() {
        return terms.bond() == CallTerms.Bond.ALL ? NEVER : at(EventKind.LOST);
    }

    public List<Event> events() {
        return events;
    }

    public String key() {
        return events.get(0).key();
    }

    public String process() {
        return events.get(0).process();
    }

    /** The owner's hash, or empty if the call has not told it. */
    public String owner() {
        return owner;
    }

    public CallTerms terms() {
        return terms;
    }

    /** Whether it did more than try once. */
    public boolean waits() {
        return first(EventKind.INVOKE).map(Event::value).orElse(0L) > 0;
    }

    public long begin() {
        return events.get(0).nanos();
    }

    Optional<Event> outcome() {
        return events.stream().filter(each -> each.kind().isOutcome()).findFirst();
    }

    public boolean endedWith(EventKind outcome) {
        return outcome().filter(each -> each.kind() == outcome).isPresent();
    }

    public boolean isGranted() {
        return grantedAt != NEVER;
    }

    public long grantedAt() {
        return grantedAt;
    }

    /** Until when the client believed in the lock: the release began, the loss was told, or the process was killed. */
    public long heldUntil() {
        return heldUntil;
    }

    /** From when on the owner has no business in Redis: the call failed, the release returned, or the lock was lost. */
    public long endedAt() {
        return endedAt;
    }

    /** When its process was killed, or {@link #NEVER}. */
    long killedAt() {
        return killedAt;
    }

    public boolean isKilled() {
        return killedAt != NEVER && endedAt == killedAt;
    }

    /** Whether the client's belief ended with the signal of a loss. */
    public boolean isLost() {
        return heldUntil != NEVER && heldUntil == at(EventKind.LOST);
    }

    /** Whether the lease had ended when the call returned, so that its caller never found the lock held. */
    public boolean isGrantedTooLate() {
        return heldUntil == grantedAt
                && first(EventKind.LOST)
                        .filter(lost -> lost.detail().equals("DEADLINE"))
                        .isPresent();
    }

    /** The fencing token, 0 if there is none. */
    public long token() {
        return first(EventKind.GRANTED).map(Event::value).orElse(0L);
    }

    public Optional<Event> first(EventKind kind) {
        return all(kind).findFirst();
    }

    public long count(EventKind kind) {
        return all(kind).count();
    }

    /** When this happened first, or {@link #NEVER}. */
    public long at(EventKind kind) {
        return first(kind).map(Event::nanos).orElse(NEVER);
    }

    private long earliest(long limit, EventKind... kinds) {
        return Stream.of(kinds).mapToLong(this::at).reduce(limit, Math::min);
    }

    private Stream<Event> all(EventKind kind) {
        return events.stream().filter(each -> each.kind() == kind);
    }
}
