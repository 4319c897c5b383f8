package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicationRoleTest {

    private static final Map<String, String> REPLICA = Map.of("run_id", "one", "role", "slave");
    private static final Map<String, String> MASTER = Map.of("run_id", "one", "role", "master");
    private static final Map<String, String> MASTER_AFTER_RESTART = Map.of("run_id", "two", "role", "master");
    private static final Map<String, String> SILENT = Map.of();

    private static final ReplicationRole REPLICA_SEEN = ReplicationRole.UNKNOWN.after(REPLICA);
    private static final ReplicationRole PROMOTED = REPLICA_SEEN.after(MASTER);

    @Test
    void aReplicaThatBecomesAMasterIsPromotedUntilItIsAReplicaAgain() {
        assertThat(REPLICA_SEEN.isPromoted()).isFalse();
        assertThat(PROMOTED.isPromoted()).isTrue();
        assertThat(PROMOTED.after(MASTER)).isEqualTo(PROMOTED);
        assertThat(PROMOTED.after(REPLICA)).isEqualTo(REPLICA_SEEN);
    }

    /** Sentinels have a server end the connections of its clients when they promote it. */
    @Test
    void aPromotedReplicaIsKnownAgainAfterItsConnectionWasLost() {
        assertThat(PROMOTED.whenLost().isPromoted()).isFalse();
        assertThat(PROMOTED.whenLost().after(MASTER)).isEqualTo(PROMOTED);
        assertThat(REPLICA_SEEN.whenLost().after(MASTER)).isEqualTo(PROMOTED);
    }

    @Test
    void aMasterThatWasNeverSeenAsAReplicaIsNoSuccessor() {
        assertThat(ReplicationRole.UNKNOWN.after(MASTER).after(MASTER).isPromoted())
                .isFalse();
    }

    @Test
    void aReplicaThatIsStartedAgainAsAMasterIsNoSuccessor() {
        assertThat(REPLICA_SEEN.whenLost().after(MASTER_AFTER_RESTART).isPromoted())
                .isFalse();
        assertThat(PROMOTED.whenLost().after(MASTER_AFTER_RESTART).isPromoted()).isFalse();
    }

    @Test
    void whatASentinelHasSeenCounts() {
        ReplicationRole seen = ReplicationRole.reported(Map.of("runid", "one", "role-reported", "slave"));
        assertThat(seen.isPromoted()).isFalse();
        assertThat(seen.after(MASTER)).isEqualTo(PROMOTED);
        assertThat(seen.after(MASTER_AFTER_RESTART).isPromoted()).isFalse();
    }

    /** A former master is listed with the replicas as soon as it has a successor; a Sentinel that has not asked it yet knows no process. */
    @Test
    void whatASentinelOnlyAssumesDoesNotCount() {
        assertThat(ReplicationRole.reported(Map.of("runid", "", "role-reported", "slave")))
                .isEqualTo(ReplicationRole.UNKNOWN);
        assertThat(ReplicationRole.reported(Map.of("runid", "one", "role-reported", "master")))
                .isEqualTo(ReplicationRole.UNKNOWN);
    }

    @Test
    void anAnswerThatSaysNothingStartsAnew() {
        assertThat(PROMOTED.after(SILENT)).isEqualTo(ReplicationRole.UNKNOWN);
        assertThat(ReplicationRole.UNKNOWN.after(Map.of("role", "master")).isPromoted())
                .isFalse();
    }
}
