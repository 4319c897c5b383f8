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
import java.util.Set;
import java.util.stream.Collectors;

/** What the records of one lock say about the lock in the store, as questions to a {@link Replay}. */
final class Evidence {
    private final List<Tenure> tenures;
    private final Timeline timeline;
    private final Set<String> named;

    private Evidence(List<Tenure> tenures, Timeline timeline) {
        this.tenures = tenures;
        this.timeline = timeline;
        this.named = tenures.stream().map(tenure -> tenure.call().owner()).collect(Collectors.toSet());
    }

    /** All questions about this lock, in the order of their begin. */
    static List<Question> of(String key, List<Tenure> tenures, Timeline timeline) {
        Evidence evidence = new Evidence(tenures, timeline);
        List<Question> questions = new ArrayList<>();
        for (Tenure tenure : tenures) {
            evidence.add(tenure, questions);
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

    private void add(Tenure tenure, List<Question> questions) {
        Call call = tenure.call();
        if (call.isGranted()) {
            questions.add(new Question(
                    call.begin(),
                    call.grantedAt(),
                    (lock, at, open) -> lock.isOf(tenure) && lock.known(),
                    "granted, and no order of steps gives this call the lock",
                    call.events()));
        } else if (call.endedWith(EventKind.HELD_BY_OTHER)
                && call.terms().bond() != Bond.ALL
                && !timeline.excuses(call.process()).touch(call.begin(), call.endedAt())) {
            questions.add(new Question(
                    call.begin(),
                    call.endedAt(),
                    (lock, at, open) -> isKeptOut(tenure, lock, at, open),
                    "refused, and no order of steps gives another call the lock meanwhile",
                    call.events()));
        }
    }

    private static boolean isKeptOut(Tenure tenure, LockState lock, long at, List<Tenure> open) {
        return LockSpecification.allows(Step.REFUSE, lock, tenure, at)
                || (tenure.isShared() && open.stream().anyMatch(other -> other.isWaitingAlone(at)));
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
        return tenures.stream()
                .map(Tenure::call)
                .filter(call -> call.begin() <= sample.end() && call.endedAt() >= sample.begin())
                .flatMap(call -> call.events().stream())
                .sorted(Comparator.comparingLong(Event::nanos))
                .toList();
    }

    private boolean isSeen(OwnerSample sample, LockState lock, long at, List<Tenure> open) {
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
    private boolean areShares(OwnerSample sample, long at, List<Tenure> open) {
        List<Tenure> sharing = open.stream().filter(Tenure::isShared).toList();
        return sharing.stream()
                        .filter(tenure ->
                                tenure.mustLast(at) && !tenure.call().owner().isEmpty())
                        .allMatch(tenure -> sample.has(tenure.call().owner()))
                && sample.shares().keySet().stream()
                        .allMatch(owner ->
                                sharing.stream().anyMatch(tenure -> tenure.mayLast(at) && isOwnerOf(tenure, owner)));
    }

    /** A call that has not told its owner may be behind each that no call has told. */
    private boolean isOwnerOf(Tenure tenure, String owner) {
        String told = tenure.call().owner();
        return !owner.isEmpty() && (told.equals(owner) || (told.isEmpty() && !named.contains(owner)));
    }
}
