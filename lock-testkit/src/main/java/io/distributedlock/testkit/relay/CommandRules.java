package io.distributedlock.testkit.relay;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** Which commands a {@link CommandRelay} answers by itself, and how many of each name it has seen. */
final class CommandRules {
    private final List<Answer> answers = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    private record Answer(Predicate<List<String>> command, String rawReply, AtomicInteger timesLeft) {}

    void answer(Predicate<List<String>> command, String rawReply, int times) {
        answers.add(new Answer(command, rawReply, new AtomicInteger(times)));
    }

    void clearAnswers() {
        answers.clear();
    }

    /** Counts the command; it is answered if a rule for it has not been used up. */
    Passage passage(List<String> command) {
        counts.computeIfAbsent(upperCase(command.get(0)), name -> new LongAdder())
                .increment();
        for (Answer answer : answers) {
            if (answer.command().test(command) && answer.timesLeft().getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return new Passage.Answered(answer.rawReply());
            }
        }
        return new Passage.Unchanged();
    }

    long count(String name) {
        LongAdder count = counts.get(upperCase(name));
        return count == null ? 0 : count.sum();
    }

    long count() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private static String upperCase(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
