package io.distributedlock.campaign;

import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Limits;
import java.time.Duration;

/** A small campaign with the one kind of fault that some mistakes can't bear. The protocol without a mistake has to bear it. */
enum Scenario {
    CONTENTION(setting(2, 2, 3, 0, Timing.ofMillis(200, 1_000), Mixes::quick), Script.NOTHING),
    ALL_KINDS(setting(2, 3, 3, 6, Timing.ofMillis(200, 1_000), new KindsMix()), Script.NOTHING) {
        @Override
        Duration length() {
            return Duration.ofMillis(1_500);
        }
    },
    ONE_SLOW_CLIENT(setting(2, 2, 3, 0, Timing.ofMillis(200, 1_000), Mixes::quick), Scripts::oneSlowClient),
    REQUESTS_LATE(setting(2, 2, 2, 0, Timing.ofMillis(200, 1_000), Mixes::shortLeases), Scripts::requestsLate),
    RELEASES_AT_THE_LAST_MOMENT(
            setting(2, 3, 1, 6, Timing.ofMillis(200, 1_000), Mixes::untilTheLastMoment), Scripts::jitter),
    SLOW_REPLIES(
            setting(3, 3, 3, 0, Timing.ofMillis(200, 1_000), Mixes.untilLost(Duration.ofSeconds(1))),
            Scripts::slowReplies),
    LATE_REPETITION(
            setting(2, 2, 1, 4, Timing.ofMillis(200, 1_000), Mixes.aloneUntilLost(Duration.ofSeconds(1))),
            Scripts::lateRepetition),
    FAST_SERVER_CLOCK(
            setting(3, 2, 3, 0, Timing.ofMillis(200, 1_000), Mixes.untilLost(Duration.ofMillis(1_500))),
            Script.NOTHING) {
        @Override
        Mutation ground() {
            return new Mutation() {
                @Override
                public LockStore store(LockStore sound, String uri) {
                    return DeadlineMutants.fastServerClock(sound);
                }
            };
        }
    },
    EXECUTOR_BUSY(
            setting(2, 2, 2, 0, Timing.ofMillis(100, 400), Mixes.untilLost(Duration.ofMillis(300))),
            Scripts::executorBusy),
    KEYS_DELETED(setting(2, 2, 2, 0, Timing.ofMillis(100, 600), Mixes::longWork), Scripts::keysDeleted),
    EVERYTHING_FLUSHED(setting(2, 2, 3, 0, Timing.ofMillis(200, 1_000), Mixes::quick), Scripts::everythingFlushed),
    SERVER_STOPPED(setting(2, 2, 2, 0, Timing.ofMillis(100, 400), Mixes::longWork), Scripts::serverStopped),
    TRAFFIC_LOST(setting(2, 2, 1, 4, Timing.ofMillis(150, 3_000), Mixes::mostlyAlone), Scripts::trafficLost),
    ORPHANS_THAT_CANT_BE_DROPPED(
            setting(2, 2, 1, 4, Timing.ofMillis(100, 5_000), Mixes::mostlyAlone), Scripts::orphansThatCantBeDropped) {
        @Override
        Duration length() {
            return Duration.ofMillis(4_500);
        }
    },
    CLIENT_VANISHES(setting(1, 1, 1, 1, Timing.ofMillis(100, 5_000), Mixes::longTtl), Scripts::clientVanishes) {
        @Override
        Limits limits() {
            Timing timing = setting().timing();
            return Scenario.limits(timing, Duration.ofSeconds(5));
        }

        @Override
        Duration length() {
            return Duration.ofMillis(7_500);
        }
    };

    private final Setting setting;
    private final Script script;

    Scenario(Setting setting, Script script) {
        this.setting = setting;
        this.script = script;
    }

    private static Setting setting(int seats, int threads, int contended, int ownKeys, Timing timing, Mix mix) {
        return new Setting(seats, threads, contended, ownKeys, timing, mix);
    }

    private static Limits limits(Timing timing, Duration probation) {
        Duration detection =
                timing.ttl().dividedBy(3).plus(timing.commandTimeout().multipliedBy(2));
        return new Limits(
                timing.commandTimeout(),
                detection,
                Duration.ofMillis(250),
                probation,
                timing.ttl(),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofSeconds(1));
    }

    /** What is noticed late is noticed after a third of a lease and two commands; what lands late is gone after 1.5 s. */
    Limits limits() {
        return limits(setting.timing(), Duration.ofMillis(1_500));
    }

    Setting setting() {
        return setting;
    }

    Script script() {
        return script;
    }

    /** What the protocol stands on here, besides Redis. */
    Mutation ground() {
        return Mutation.NONE;
    }

    /** How long it has to run to show what it can show. */
    Duration length() {
        return Duration.ofSeconds(2);
    }
}
