package io.distributedlock.campaign.mutant;

import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.campaign.client.Timing;
import io.distributedlock.campaign.fault.FaultScript;
import io.distributedlock.campaign.fault.FaultScripts;
import io.distributedlock.campaign.workload.AllKindsMix;
import io.distributedlock.campaign.workload.OperationMix;
import io.distributedlock.campaign.workload.OperationMixes;
import io.distributedlock.campaign.workload.Workload;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Limits;
import java.time.Duration;

/**
 * A small campaign with one kind of fault, under which some mistakes show. The protocol without a mistake passes it.
 */
enum Scenario {
    CONTENTION(workload(2, 2, 3, 0, Timing.ofMillis(200, 1_000), OperationMixes::quick), FaultScript.NOTHING),
    ALL_KINDS(workload(2, 3, 3, 6, Timing.ofMillis(200, 1_000), new AllKindsMix()), FaultScript.NOTHING) {
        @Override
        Duration length() {
            return Duration.ofMillis(1_500);
        }
    },
    ONE_SLOW_CLIENT(
            workload(2, 2, 3, 0, Timing.ofMillis(200, 1_000), OperationMixes::quick), FaultScripts::oneSlowClient),
    REQUESTS_LATE(
            workload(2, 2, 2, 0, Timing.ofMillis(200, 1_000), OperationMixes::shortLeases), FaultScripts::requestsLate),
    RELEASES_AT_THE_LAST_MOMENT(
            workload(2, 3, 1, 6, Timing.ofMillis(200, 1_000), OperationMixes::untilTheLastMoment),
            FaultScripts::jitter),
    SLOW_REPLIES(
            workload(3, 3, 3, 0, Timing.ofMillis(200, 1_000), OperationMixes.untilLost(Duration.ofSeconds(1))),
            FaultScripts::slowReplies),
    LATE_REPETITION(
            workload(2, 2, 1, 4, Timing.ofMillis(200, 1_000), OperationMixes.aloneUntilLost(Duration.ofSeconds(1))),
            FaultScripts::lateRepetition),
    FAST_SERVER_CLOCK(
            workload(3, 2, 3, 0, Timing.ofMillis(200, 1_000), OperationMixes.untilLost(Duration.ofMillis(1_500))),
            FaultScript.NOTHING) {
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
            workload(2, 2, 2, 0, Timing.ofMillis(100, 400), OperationMixes.untilLost(Duration.ofMillis(300))),
            FaultScripts::executorBusy),
    KEYS_DELETED(workload(2, 2, 2, 0, Timing.ofMillis(100, 600), OperationMixes::longWork), FaultScripts::keysDeleted),
    EVERYTHING_FLUSHED(
            workload(2, 2, 3, 0, Timing.ofMillis(200, 1_000), OperationMixes::quick), FaultScripts::everythingFlushed),
    SERVER_STOPPED(
            workload(2, 2, 2, 0, Timing.ofMillis(100, 400), OperationMixes::longWork), FaultScripts::serverStopped),
    TRAFFIC_LOST(
            workload(2, 2, 1, 4, Timing.ofMillis(150, 3_000), OperationMixes::mostlyAlone), FaultScripts::trafficLost),
    ORPHANS_THAT_CANT_BE_DROPPED(
            workload(2, 2, 1, 4, Timing.ofMillis(100, 5_000), OperationMixes::mostlyAlone),
            FaultScripts::orphansThatCantBeDropped) {
        @Override
        Duration length() {
            return Duration.ofMillis(4_500);
        }
    },
    CLIENT_VANISHES(
            workload(1, 1, 1, 1, Timing.ofMillis(100, 5_000), OperationMixes::longTtl), FaultScripts::clientVanishes) {
        @Override
        Limits limits() {
            Timing timing = workload().timing();
            return Scenario.limits(timing, Duration.ofSeconds(5));
        }

        @Override
        Duration length() {
            return Duration.ofMillis(7_500);
        }
    };

    private final Workload workload;
    private final FaultScript script;

    Scenario(Workload workload, FaultScript script) {
        this.workload = workload;
        this.script = script;
    }

    private static Workload workload(
            int clients, int threads, int contended, int ownKeys, Timing timing, OperationMix mix) {
        return new Workload(clients, threads, contended, ownKeys, timing, mix);
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

    /**
     * What is noticed late is noticed after a third of a lease and two commands; what lands late is gone after 1.5 s.
     */
    Limits limits() {
        return limits(workload.timing(), Duration.ofMillis(1_500));
    }

    Workload workload() {
        return workload;
    }

    FaultScript script() {
        return script;
    }

    /** The mutation of the layer below the protocol, if any. */
    Mutation ground() {
        return Mutation.NONE;
    }

    /** How long it has to run to show what it can show. */
    Duration length() {
        return Duration.ofSeconds(2);
    }
}
