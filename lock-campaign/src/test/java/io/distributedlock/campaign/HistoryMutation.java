package io.distributedlock.campaign;

import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.OwnerSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One thing that is changed in the history of a sound run, so that it can't have happened with a lock any more. */
enum HistoryMutation {
    A_GRANT_BEFORE_THE_LAST_RELEASE {
        @Override
        Optional<History> of(Story story) {
            return story.two((one, next) -> next.movedBy(one.at(EventKind.RELEASE_INVOKED) - 1 - next.granted()));
        }
    },
    A_RELEASE_AFTER_THE_NEXT_GRANT {
        @Override
        Optional<History> of(Story story) {
            return story.two((one, next) -> one.with(event ->
                    isOfRelease(event) ? moved(event, next.granted() + 1 - one.at(EventKind.RELEASE_INVOKED)) : event));
        }
    },
    A_RELEASE_LEFT_OUT {
        @Override
        Optional<History> of(Story story) {
            return story.one(Hold::isReleased, hold -> hold.without(HistoryMutation::isOfRelease));
        }
    },
    A_HOLD_TWICE {
        @Override
        Optional<History> of(Story story) {
            return story.one(
                    Hold::isReleased,
                    hold -> Stream.concat(
                                    hold.events().stream(),
                                    hold.events().stream().map(event -> renamed(event, event.hold() + "-twin")))
                            .toList());
        }
    },
    A_SMALLER_TOKEN {
        @Override
        Optional<History> of(Story story) {
            return story.two((one, next) -> next.with(event -> event.value() > one.token() ? valued(event, 1) : event));
        }
    },
    THE_SAME_TOKEN_AGAIN {
        @Override
        Optional<History> of(Story story) {
            return story.two((one, next) ->
                    next.with(event -> event.value() > one.token() ? valued(event, one.token()) : event));
        }
    },
    A_LOSS_AFTER_THE_NEXT_GRANT {
        @Override
        Optional<History> of(Story story) {
            return story.two((one, next) -> Stream.concat(
                            one.without(HistoryMutation::isOfRelease).stream(),
                            Stream.of(one.like(EventKind.LOST, next.granted() + 1, "DEADLINE")))
                    .toList());
        }
    },
    A_LOSS_BESIDE_A_RELEASE {
        @Override
        Optional<History> of(Story story) {
            return story.one(
                    Hold::isReleased,
                    hold -> Stream.concat(
                                    hold.events().stream(),
                                    Stream.of(hold.like(EventKind.LOST, hold.at(EventKind.RELEASED) + 1, "DEADLINE")))
                            .toList());
        }
    },
    A_LOSS_THAT_WAS_NOT_SIGNALLED {
        @Override
        Optional<History> of(Story story) {
            return story.one(
                    Hold::isReleased,
                    hold -> hold.with(event -> event.kind() == EventKind.RELEASED
                            ? hold.like(EventKind.RELEASE_REPORTED_LOST, event.nanos(), "DEADLINE")
                            : event));
        }
    },
    A_REFUSAL_WITHOUT_A_REASON {
        @Override
        Optional<History> of(Story story) {
            return story.one(
                    hold -> hold.isReleased() && hold.key().startsWith("once-"),
                    hold -> hold.without(event -> event.nanos() > hold.granted()).stream()
                            .map(event -> event.kind() == EventKind.GRANTED
                                    ? hold.like(EventKind.HELD_BY_OTHER, event.nanos(), "")
                                    : event)
                            .toList());
        }
    },
    A_CALL_WITHOUT_AN_ANSWER {
        @Override
        Optional<History> of(Story story) {
            return story.one(Hold::isReleased, hold -> hold.without(event -> event.kind() != EventKind.INVOKE));
        }
    },
    TWO_ANSWERS {
        @Override
        Optional<History> of(Story story) {
            return story.one(
                    Hold::isReleased,
                    hold -> Stream.concat(
                                    hold.events().stream(),
                                    Stream.of(hold.like(EventKind.UNKNOWN, hold.granted() + 1, "")))
                            .toList());
        }
    },
    AN_ANSWER_AN_HOUR_LATE {
        @Override
        Optional<History> of(Story story) {
            return story.one(
                    hold -> hold.isReleased() && hold.key().startsWith("once-"),
                    hold -> hold.with(event -> event.kind() == EventKind.INVOKE ? moved(event, -HOUR) : event));
        }
    },
    A_STRANGER_SEEN_DURING_A_HOLD {
        @Override
        Optional<History> of(Story story) {
            return story.sample((sample, hold) -> seen(sample, sample.begin(), "abcdef01"));
        }
    },
    NO_OWNER_SEEN_DURING_A_HOLD {
        @Override
        Optional<History> of(Story story) {
            return story.sample((sample, hold) -> seen(sample, sample.begin(), ""));
        }
    },
    AN_OWNER_SEEN_AN_HOUR_AFTER_ITS_RELEASE {
        @Override
        Optional<History> of(Story story) {
            return story.sample((sample, hold) -> seen(sample, sample.begin() + HOUR, sample.owner()));
        }
    };

    private static final long HOUR = Duration.ofHours(1).toNanos();

    /** The history with the change at a place that is drawn by lot; empty if it has none. */
    abstract Optional<History> of(Story story);

    /** The events of a call that was granted a lock. */
    record Hold(List<Event> events) {
        String key() {
            return events.get(0).key();
        }

        boolean has(EventKind kind) {
            return events.stream().anyMatch(event -> event.kind() == kind);
        }

        boolean isReleased() {
            return has(EventKind.GRANTED) && has(EventKind.RELEASED) && !has(EventKind.LOST);
        }

        long at(EventKind kind) {
            return events.stream()
                    .filter(event -> event.kind() == kind)
                    .mapToLong(Event::nanos)
                    .findFirst()
                    .orElseThrow();
        }

        long granted() {
            return at(EventKind.GRANTED);
        }

        long token() {
            return events.stream()
                    .filter(event -> event.kind() == EventKind.GRANTED)
                    .mapToLong(Event::value)
                    .sum();
        }

        Event like(EventKind kind, long nanos, String detail) {
            Event first = events.get(0);
            return new Event(kind, first.key(), first.client(), first.hold(), nanos, 0, "", detail);
        }

        List<Event> with(UnaryOperator<Event> change) {
            return events.stream().map(change).toList();
        }

        List<Event> movedBy(long nanos) {
            return with(
                    event -> event.kind() == EventKind.INVOKE ? moved(event, Math.min(nanos, 0)) : moved(event, nanos));
        }

        List<Event> without(Predicate<Event> unwanted) {
            return events.stream().filter(event -> !unwanted.test(event)).toList();
        }
    }

    /** A history, and the dice that say where it is changed. */
    record Story(History history, Random random) {
        /** Changes one of the holds that are wanted. */
        Optional<History> one(Predicate<Hold> wanted, Function<Hold, List<Event>> change) {
            List<Hold> holds = holds().stream().filter(wanted).toList();
            return holds.isEmpty() ? Optional.empty() : Optional.of(replaced(drawn(holds), change));
        }

        /** Changes one of two holds with tokens that follow each other on one lock. */
        Optional<History> two(BiFunction<Hold, Hold, List<Event>> change) {
            List<Map.Entry<Hold, Hold>> pairs = new ArrayList<>();
            Map<String, List<Hold>> byKey = holds().stream()
                    .filter(hold -> hold.isReleased() && hold.token() > 0)
                    .collect(Collectors.groupingBy(Hold::key));
            for (List<Hold> holds : byKey.values()) {
                for (int i = 1; i < holds.size(); i++) {
                    pairs.add(Map.entry(holds.get(i - 1), holds.get(i)));
                }
            }
            if (pairs.isEmpty()) {
                return Optional.empty();
            }
            Map.Entry<Hold, Hold> pair = drawn(pairs);
            List<Event> changed = change.apply(pair.getKey(), pair.getValue());
            Hold which =
                    changed.get(0).hold().equals(pair.getKey().events().get(0).hold())
                            ? pair.getKey()
                            : pair.getValue();
            return Optional.of(replaced(which, hold -> changed));
        }

        /** Changes one of the samples that show the owner of a hold. */
        Optional<History> sample(BiFunction<OwnerSample, Hold, OwnerSample> change) {
            List<Map.Entry<OwnerSample, Hold>> found = new ArrayList<>();
            Map<String, List<Hold>> byKey =
                    holds().stream().filter(Hold::isReleased).collect(Collectors.groupingBy(Hold::key));
            for (OwnerSample sample : history.samples()) {
                byKey.getOrDefault(sample.key(), List.of()).stream()
                        .filter(hold -> hold.granted() < sample.begin()
                                && sample.end() < hold.at(EventKind.RELEASE_INVOKED)
                                && !sample.owner().isEmpty())
                        .findFirst()
                        .ifPresent(hold -> found.add(Map.entry(sample, hold)));
            }
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Map.Entry<OwnerSample, Hold> one = drawn(found);
            List<OwnerSample> samples = history.samples().stream()
                    .map(sample -> sample == one.getKey() ? change.apply(sample, one.getValue()) : sample)
                    .toList();
            return Optional.of(about(one.getValue().key(), history.events(), samples));
        }

        private List<Hold> holds() {
            return history.events().stream()
                    .filter(event -> !event.hold().isEmpty())
                    .collect(Collectors.groupingBy(Event::hold, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .stream()
                    .map(Hold::new)
                    .filter(hold -> hold.has(EventKind.GRANTED)
                            && hold.events().get(0).detail().isEmpty())
                    .toList();
        }

        private <T> T drawn(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        private History replaced(Hold hold, Function<Hold, List<Event>> change) {
            String name = hold.events().get(0).hold();
            List<Event> events = new ArrayList<>(history.events());
            events.removeIf(event -> event.hold().equals(name));
            events.addAll(change.apply(hold));
            return about(hold.key(), events, history.samples());
        }

        /** What concerns one lock, which is quicker to replay. */
        private History about(String key, List<Event> events, List<OwnerSample> samples) {
            return new History(
                    events.stream()
                            .filter(event ->
                                    event.key().equals(key) || event.key().isEmpty())
                            .toList(),
                    samples.stream().filter(sample -> sample.key().equals(key)).toList(),
                    history.faults(),
                    Optional.empty());
        }
    }

    private static boolean isOfRelease(Event event) {
        return event.kind() == EventKind.RELEASE_INVOKED || event.kind() == EventKind.RELEASED;
    }

    private static Event moved(Event event, long nanos) {
        return new Event(
                event.kind(),
                event.key(),
                event.client(),
                event.hold(),
                event.nanos() + nanos,
                event.value(),
                event.owner(),
                event.detail());
    }

    private static Event valued(Event event, long value) {
        return new Event(
                event.kind(),
                event.key(),
                event.client(),
                event.hold(),
                event.nanos(),
                value,
                event.owner(),
                event.detail());
    }

    private static Event renamed(Event event, String hold) {
        return new Event(
                event.kind(),
                event.key(),
                event.client(),
                hold,
                event.nanos(),
                event.value(),
                event.owner(),
                event.detail());
    }

    private static OwnerSample seen(OwnerSample sample, long begin, String owner) {
        return new OwnerSample(sample.key(), begin, begin + sample.end() - sample.begin(), owner, sample.remaining());
    }
}
