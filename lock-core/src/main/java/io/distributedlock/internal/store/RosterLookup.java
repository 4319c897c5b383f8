package io.distributedlock.internal.store;

import io.distributedlock.LockHolder;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.ClientRoster.Entry;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which client an owner belongs to. What was found is used again for a moment, so that many refusals by one
 * holder cost the store one question.
 *
 * <p>No clocks of two machines are compared: an owner has the time of its client's clock, so has the line, and the
 * store says how long ago that was written.
 */
public final class RosterLookup {

    private static final Duration REUSED_FOR = Duration.ofSeconds(1);
    private static final int MAX_REUSED = 1_000;
    /** Two rounds were missed. */
    private static final Duration SILENT = ClientPresence.PERIOD.multipliedBy(2).plusSeconds(2);

    private final Map<String, Question> questions = new ConcurrentHashMap<>();
    private final @Nullable ClientRoster roster;
    private final Scheduler time;

    public RosterLookup(LockStore store, Scheduler time) {
        this.roster = store.roster().orElse(null);
        this.time = time;
    }

    /** Completes with as much as is known, and never fails. Empty if another kind of client has made the owner. */
    public CompletableFuture<Optional<LockHolder>> holder(String owner) {
        OwnerOrigin origin = OwnerOrigin.of(owner).orElse(null);
        if (origin == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Question question = question(origin.client());
        return question.answer()
                .thenApply(found -> Optional.of(found.map(entry -> holder(origin, entry, question.askedAt()))
                        .orElseGet(() -> unknown(origin))));
    }

    private static LockHolder unknown(OwnerOrigin origin) {
        return new LockHolder(origin.client(), null, null, null, null);
    }

    private LockHolder holder(OwnerOrigin origin, Entry entry, long askedAt) {
        RosterLine line;
        try {
            line = RosterLine.read(entry.line());
        } catch (RuntimeException foreign) {
            return unknown(origin);
        }
        Duration seen = ClientPresence.LIFE.minus(entry.left()).plus(time.since(askedAt));
        Duration age = seen.plus(origin.until(line.tick()));
        return new LockHolder(
                origin.client(),
                line.identity(),
                null,
                age.isNegative() ? Duration.ZERO : age,
                seen.compareTo(SILENT) > 0 ? seen : null);
    }

    private Question question(String client) {
        if (questions.size() > MAX_REUSED) {
            questions.clear();
        }
        return questions.compute(
                client,
                (same, last) -> last == null || time.since(last.askedAt()).compareTo(REUSED_FOR) > 0
                        ? new Question(ask(client), time.now())
                        : last);
    }

    private CompletableFuture<Optional<Entry>> ask(String client) {
        if (roster == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        try {
            CompletionStage<Optional<Entry>> answer = roster.look(client);
            return answer.<Optional<Entry>>handle((entry, failure) -> entry == null ? Optional.empty() : entry)
                    .toCompletableFuture();
        } catch (RuntimeException notSent) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    private record Question(CompletableFuture<Optional<Entry>> answer, long askedAt) {}
}
