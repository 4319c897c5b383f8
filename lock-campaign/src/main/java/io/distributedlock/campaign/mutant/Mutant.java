package io.distributedlock.campaign.mutant;

import io.distributedlock.LockHandle;
import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.check.Violation;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/** A mistake in the protocol, the scenario that shows it, and the invariants of which it breaks at least one. */
enum Mutant implements Mutation {
    PLAIN_DEL("a plain DEL at release", Scenario.REQUESTS_LATE, ReleaseMutants::plainDel, "I1", "I9"),
    ONE_OWNER(
            "one owner for all acquisitions of a client",
            Scenario.REQUESTS_LATE,
            GrantMutants::oneOwnerForAll,
            "I1",
            "I9"),
    OWNERS_OF_AN_IMAGE(
            "owners that are drawn before a process is copied",
            Scenario.CONTENTION,
            GrantMutants::sameOwnersInAllProcesses,
            "I1",
            "I9"),
    FRESH_OWNER("a new owner for each try", Scenario.TRAFFIC_LOST, GrantMutants::freshOwnerForEachTry, "I3", "I4"),
    REPLAY("SET NX on a connection that replays", Scenario.TRAFFIC_LOST, GrantMutants::replayed, "I4"),
    HELD_ON_UNKNOWN("'held' said on an unknown outcome", Scenario.TRAFFIC_LOST, GrantMutants::heldOnUnknown, "I4"),
    NO_REAPER("no clean-up after an unknown outcome", Scenario.TRAFFIC_LOST, ReleaseMutants::noReaper, "I3"),
    RELEASED_ONCE("a release is sent once", Scenario.TRAFFIC_LOST, ReleaseMutants::neverRepeated, "I3"),
    RENEWED_FOR_EVER(
            "renewal goes on after an unconfirmed release",
            Scenario.TRAFFIC_LOST,
            ReleaseMutants::renewedUntilConfirmed,
            "I3"),
    NO_PROBATION("the whole ttl in the first write", Scenario.CLIENT_VANISHES, GrantMutants::noProbation, "I3"),
    ALWAYS_SETTLED(
            "every answer to a release is the last word",
            Scenario.ORPHANS_THAT_CANT_BE_DROPPED,
            ReleaseMutants::alwaysSettled,
            "I3"),
    RECEIVE_TIME(
            "the deadline counts from the reply", Scenario.SLOW_REPLIES, DeadlineMutants::fromReceiveTime, "I1", "I6"),
    WHOLE_LEASE(
            "a repeated acquire counts as a new lease",
            Scenario.LATE_REPETITION,
            DeadlineMutants::wholeLeaseForRepetition,
            "I1",
            "I6"),
    NO_MARGIN("no margin for clocks that drift", Scenario.FAST_SERVER_CLOCK, DeadlineMutants::noMargin, "I1", "I6"),
    FLAG(
            "isHeld() from a flag that the application's executor clears",
            Scenario.EXECUTOR_BUSY,
            UnaryOperator.identity(),
            "I1",
            "I6") {
        @Override
        public LockHandle handle(LockHandle sound, Executor executor) {
            return FlagHandle.of(sound, executor);
        }
    },
    NO_COMPARE("renewal without comparing the owner", Scenario.KEYS_DELETED, RenewalMutants::withoutCompare, "I1"),
    TAKES_BACK("renewal writes the key", Scenario.KEYS_DELETED, RenewalMutants::thatTakesTheLockBack, "I1", "I9"),
    OPTIMISTIC_RENEWAL(
            "a renewal counts before it is answered",
            Scenario.SERVER_STOPPED,
            RenewalMutants::believedBeforeTheAnswer,
            "I1",
            "I6"),
    PLAIN_COUNTER(
            "tokens from a counter that can be lost", Scenario.EVERYTHING_FLUSHED, FenceMutants::plainCounter, "I2"),
    FENCE_NOT_ATOMIC("tokens by GET and SET of the client", Scenario.ONE_SLOW_CLIENT, FenceMutants::notAtomic, "I2"),
    READERS_APART("shares while the lock is held alone", Scenario.ALL_KINDS, KindMutants::readersApart, "I1"),
    WRITERS_OVER_READERS(
            "a writer that takes no notice of readers",
            Scenario.ALL_KINDS,
            KindMutants::writersOverReaders,
            "I1",
            "I9"),
    FIRST_OF_SEVERAL(
            "only the first of several locks is released", Scenario.ALL_KINDS, UnaryOperator.identity(), "I3") {
        @Override
        public LockHandle handle(LockHandle sound, Executor executor) {
            return KindMutants.firstOfSeveral(sound);
        }
    };

    private final String mistake;
    private final Scenario scenario;
    private final StoreChange change;
    private final List<String> breaks;

    /** A store around a store, with the address of its Redis. */
    @FunctionalInterface
    private interface StoreChange {

        LockStore around(LockStore sound, String uri);
    }

    Mutant(String mistake, Scenario scenario, StoreChange change, String... breaks) {
        this.mistake = mistake;
        this.scenario = scenario;
        this.change = change;
        this.breaks = List.of(breaks);
    }

    Mutant(String mistake, Scenario scenario, UnaryOperator<LockStore> change, String... breaks) {
        this(mistake, scenario, (sound, uri) -> change.apply(sound), breaks);
    }

    @Override
    public LockStore store(LockStore sound, String uri) {
        return change.around(sound, uri);
    }

    /** What is done wrong, in words. */
    String mistake() {
        return mistake;
    }

    Scenario scenario() {
        return scenario;
    }

    /** Whether this violation is of the kind that the mistake has to cause. */
    boolean explains(Violation violation) {
        return breaks.stream().anyMatch(number -> violation.invariant().startsWith(number + " "));
    }
}
