package io.distributedlock.testkit.specification;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.analysis.Windows;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.specification.LockState.Mode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Looks for an order of the store's steps that the {@link LockSpecification} allows and that explains what was recorded
 * of one lock.
 *
 * <p>It goes from instant to instant at which something changes, and keeps all states that the lock may have reached:
 * between two instants the store may take any number of steps. The history is rejected where no state is left.
 */
final class Replay {
    private final String key;
    private final Timeline timeline;
    private final List<StoredHold> holds;
    private final List<Question> questions;
    private final List<StoredHold> open = new ArrayList<>();
    private final List<Question> asked = new ArrayList<>();

    /** A state that the lock may have, and which of the questions that are asked were answered on the way to it. */
    private record Reached(LockState lock, Set<Question> answered) {
        Reached without(Question question) {
            Set<Question> others = new HashSet<>(answered);
            return others.remove(question) ? new Reached(lock, others) : this;
        }
    }

    Replay(String key, List<Call> calls, Timeline timeline) {
        this.key = key;
        this.timeline = timeline;
        this.holds = calls.stream()
                .map(call -> new StoredHold(call, timeline))
                .sorted(Comparator.comparingLong(hold -> hold.call().begin()))
                .toList();
        this.questions = Evidence.of(key, holds, timeline);
    }

    /** Why there is no such order, if there is none. */
    Optional<Rejection> run() {
        List<Reached> reached = List.of(new Reached(LockState.NEW, Set.of()));
        int nextHold = 0;
        int nextQuestion = 0;
        for (long at : instants()) {
            open.removeIf(hold -> hold.over() <= at);
            while (nextHold < holds.size() && holds.get(nextHold).call().begin() <= at) {
                open.add(holds.get(nextHold++));
            }
            while (nextQuestion < questions.size() && questions.get(nextQuestion).begin <= at) {
                asked.add(questions.get(nextQuestion++));
            }
            List<StoredHold> lasting =
                    open.stream().filter(hold -> hold.mustLast(at)).toList();
            reached = spread(reached, at).stream()
                    .filter(each -> fits(each.lock(), lasting, at))
                    .map(each -> new Reached(counted(each.lock(), lasting), each.answered()))
                    .toList();
            if (reached.isEmpty()) {
                return Optional.of(unexplained(lasting));
            }
            for (Question question : due(at)) {
                reached = reached.stream()
                        .filter(each -> each.answered().contains(question))
                        .map(each -> each.without(question))
                        .toList();
                if (reached.isEmpty()) {
                    return Optional.of(new Rejection(key, question.message, question.events));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * All states that the store's steps lead to from these at this instant or soon after. Of those found it goes on
     * from the last one: that path soon has most questions answered, and each other one with fewer ends where it meets
     * it. From the first one it would visit every set of questions that a crowd of callers can have answered.
     */
    private List<Reached> spread(List<Reached> from, long at) {
        Map<LockState, List<Set<Question>>> found = new HashMap<>();
        Deque<Reached> todo = new ArrayDeque<>();
        from.forEach(each -> offer(each, at, found, todo));
        while (!todo.isEmpty()) {
            Reached each = todo.removeLast();
            successors(each.lock(), at).forEach(lock -> offer(new Reached(lock, each.answered()), at, found, todo));
        }
        return found.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(answered -> new Reached(entry.getKey(), answered)))
                .toList();
    }

    /** Keeps a state unless it was reached before with all these questions answered. */
    private void offer(Reached each, long at, Map<LockState, List<Set<Question>>> found, Deque<Reached> todo) {
        Set<Question> answered = each.answered();
        for (Question question : asked) {
            if (!answered.contains(question) && question.isAnsweredBy(each.lock(), at, open)) {
                answered = with(question, answered);
            }
        }
        Set<Question> all = answered;
        List<Set<Question>> before = found.computeIfAbsent(each.lock(), lock -> new ArrayList<>(2));
        if (before.stream().noneMatch(known -> known.containsAll(all))) {
            before.removeIf(all::containsAll);
            before.add(all);
            todo.add(new Reached(each.lock(), all));
        }
    }

    private static Set<Question> with(Question question, Set<Question> others) {
        Set<Question> all = new HashSet<>(others);
        all.add(question);
        return all;
    }

    private Stream<LockState> successors(LockState lock, long at) {
        return switch (lock.mode()) {
            case FREE ->
                Stream.concat(
                        given(lock, at), timeline.restoration().contain(at) ? Stream.of(lock.restored()) : Stream.of());
            case ALONE -> lock.holder().stream().flatMap(holder -> next(lock, holder, at));
            case SHARED ->
                open.stream().anyMatch(hold -> hold.isShared() && hold.mustLast(at))
                        ? Stream.of()
                        : Stream.of(lock.free());
            case RESTORED -> Stream.of(lock.free());
        };
    }

    private Stream<LockState> given(LockState lock, long at) {
        return open.stream()
                .filter(hold -> LockSpecification.allows(Step.GRANT, lock, hold, at))
                .map(lock::given);
    }

    private static Stream<LockState> next(LockState lock, StoredHold holder, long at) {
        return Stream.of(
                        mayEnd(lock, holder, at) ? Stream.of(lock.free()) : Stream.<LockState>of(),
                        LockSpecification.allows(Step.DRAW_TOKEN, lock, holder, at)
                                ? Stream.of(lock.drawn(holder))
                                : Stream.<LockState>of())
                .flatMap(states -> states);
    }

    private static boolean mayEnd(LockState lock, StoredHold hold, long at) {
        return Stream.of(Step.RELEASE, Step.EXPIRE, Step.CLEAN_UP, Step.FORGET)
                .anyMatch(step -> LockSpecification.allows(step, lock, hold, at));
    }

    /** Whether the store may have this lock while these holds last. */
    private boolean fits(LockState lock, List<StoredHold> lasting, long at) {
        boolean all = lasting.stream().allMatch(hold -> LockSpecification.allows(Step.RENEW, lock, hold, at));
        return all
                && switch (lock.mode()) {
                    case FREE -> true;
                    case ALONE ->
                        lock.holder().filter(holder -> holder.mayLast(at)).isPresent();
                    case SHARED ->
                        open.stream().anyMatch(hold -> hold.isShared() && hold.mayLast(at))
                                && lasting.stream()
                                        .allMatch(share -> share.token() == 0 || share.token() > lock.token());
                    case RESTORED -> timeline.restoration().contain(at);
                };
    }

    private static LockState counted(LockState lock, List<StoredHold> lasting) {
        return lock.mode() == Mode.SHARED
                ? lock.counted(
                        lasting.stream().mapToLong(StoredHold::token).max().orElse(0))
                : lock;
    }

    private List<Question> due(long at) {
        List<Question> due =
                asked.stream().filter(question -> question.end <= at).toList();
        asked.removeAll(due);
        return due;
    }

    private Rejection unexplained(List<StoredHold> lasting) {
        List<Event> events = lasting.stream()
                .flatMap(hold -> hold.call().events().stream())
                .sorted(Comparator.comparingLong(Event::nanos))
                .toList();
        return new Rejection(
                key, lasting.size() + " believe in the lock, and no order of steps gives it to them", events);
    }

    private long[] instants() {
        Stream<Windows> faults = Stream.concat(
                Stream.of(timeline.losses(), timeline.destruction(), timeline.restoration()),
                holds.stream().map(hold -> hold.call().process()).distinct().map(timeline::excuses));
        return Stream.of(
                        holds.stream().flatMapToLong(StoredHold::changes),
                        questions.stream().flatMapToLong(each -> LongStream.of(each.begin, each.end)),
                        faults.flatMap(windows -> windows.spans().stream())
                                .flatMapToLong(span -> LongStream.of(span.begin(), span.end() + 1)))
                .flatMapToLong(instants -> instants)
                .filter(instant -> instant <= timeline.end())
                .sorted()
                .distinct()
                .toArray();
    }
}
