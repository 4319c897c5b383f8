package io.distributedlock.testkit.specification;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.analysis.Windows;
import io.distributedlock.testkit.history.CallTerms.Bond;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.OwnerSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the records of one lock say about the lock in the store, as questions to a {@link Replay}. */
final class Evidence {
    private final List<StoredHold> holds;
    private final Timeline timeline;
    /** The processes of the calls that have told an owner. */
    private final Map<String, Set<String>> named;

    private Evidence(List<StoredHold> holds, Timeline timeline) {
        this.holds = holds;
        this.timeline = timeline;
        this.named = holds.stream()
                .map(StoredHold::call)
                .collect(Collectors.groupingBy(Call::owner, Collectors.mapping(Call::process, Collectors.toSet())));
    }

    /** All questions about this lock, in the order of their begin. */
    static List<Question> of(String key, List<StoredHold> holds, Timeline timeline) {
        Evidence evidence = new Evidence(holds, timeline);
        List<Question> questions = new ArrayList<>();
        for (StoredHold hold : holds) {
            evidence.add(hold, questions);
        }
        Windows unknown = timeline.losses().and(timeline.restoration());
        for (OwnerSample sample : timeline.samples(key)) {
            if (!unknown.touch(sample.begin(), sample.end())) {
                questions.add(evidence.seen(sample));
            }
        }
        questions.sort(Comparator.comparingLong(question -> question.begin));
        return questions;
    }

    private void add(StoredHold hold, List<Question> questions) {
        Call call = hold.call();
        if (call.isGranted()) {
            questions.add(new Question(
                    call.begin(),
                    call.grantedAt(),
                    (lock, at, open) -> lock.isOf(hold) && lock.known(),
                    "granted, and no order of steps gives this call the lock",
                    call.events()));
        } else if (call.endedWith(EventKind.HELD_BY_OTHER)
                && call.terms().bond() != Bond.ALL
                && !isSurelyKeptOut(hold)
                && !timeline.excuses(call.process()).touch(call.begin(), call.endedAt())) {
            questions.add(new Question(
                    call.begin(),
                    call.endedAt(),
                    (lock, at, open) -> isKeptOut(hold, lock, at, open),
                    "refused, and no order of steps gives another call the lock meanwhile",
                    call.events()));
        }
    }

    /** Each order that is allowed has the other hold there: no need to ask, which saves most of the states. */
    private boolean isSurelyKeptOut(StoredHold hold) {
        Call call = hold.call();
        return holds.stream()
                .anyMatch(other -> !(other.isShared() && hold.isShared())
                        && other.surelyLastsBetween(call.begin(), call.endedAt()));
    }

    private static boolean isKeptOut(StoredHold hold, LockState lock, long at, List<StoredHold> open) {
        return LockSpecification.allows(Step.REFUSE, lock, hold, at)
                || (hold.isShared() && open.stream().anyMatch(other -> other.isWaitingAlone(at)));
    }

    private Question seen(OwnerSample sample) {
        return new Question(
                sample.begin(),
                sample.end(),
                (lock, at, open) -> isSeen(sample, lock, at, open),
                "the store had " + (sample.owners().isEmpty() ? "no owner" : sample.owners()) + " between "
                        + sample.begin() + " and " + sample.end() + ", and no order of steps explains that",
                underWay(sample));
    }

    private List<Event> underWay(OwnerSample sample) {
        return holds.stream()
                .map(StoredHold::call)
                .filter(call -> call.begin() <= sample.end() && call.endedAt() >= sample.begin())
                .flatMap(call -> call.events().stream())
                .sorted(Comparator.comparingLong(Event::nanos))
                .toList();
    }

    private boolean isSeen(OwnerSample sample, LockState lock, long at, List<StoredHold> open) {
        return switch (lock.mode()) {
            case FREE -> sample.owners().isEmpty();
            case ALONE ->
                lock.holder()
                        .filter(holder -> isOwnerOf(holder, sample.owner()))
                        .isPresent();
            case SHARED -> sample.owner().isEmpty() && areShares(sample, at, open);
            case RESTORED -> true;
        };
    }

    /** All that surely have a share are seen, and what is seen belongs to one that may have a share. */
    private boolean areShares(OwnerSample sample, long at, List<StoredHold> open) {
        List<StoredHold> sharing = open.stream().filter(StoredHold::isShared).toList();
        return sharing.stream()
                        .filter(hold ->
                                hold.mustLast(at) && !hold.call().owner().isEmpty())
                        .allMatch(hold -> sample.has(hold.call().owner()))
                && sample.shares().keySet().stream()
                        .allMatch(
                                owner -> sharing.stream().anyMatch(hold -> hold.mayLast(at) && isOwnerOf(hold, owner)));
    }

    /**
     * A call that has not told its owner may be behind each that no call has told, and behind that of an earlier call
     * of its process, whose lease was passed on to it.
     */
    private boolean isOwnerOf(StoredHold hold, String owner) {
        String told = hold.call().owner();
        Set<String> tellers = named.getOrDefault(owner, Set.of());
        return !owner.isEmpty()
                && (told.equals(owner)
                        || (told.isEmpty()
                                && (tellers.isEmpty()
                                        || tellers.contains(hold.call().process()))));
    }
}
