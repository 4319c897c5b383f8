package io.distributedlock.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.benchmarks.WrongUsage;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChoiceTests {

    private static final List<Scenario> ALL = List.of(FreeLocks.oneThread(), new HandOver(), new ManyClients());

    @Test
    void withoutOptionsEverybodyTakesPartInEverythingAtFullLength() {
        Choice choice = Choice.of(List.of(), ALL);

        assertThat(choice.scenarios()).isEqualTo(ALL);
        assertThat(choice.peersIn(new ManyClients())).isEqualTo(Catalogue.all());
        assertThat(choice.scale()).isEqualTo(Scale.FULL);
        assertThat(choice.profile()).isEmpty();
    }

    @Test
    void scenariosAndPeersAreChosenByNameAndKeepTheirOrder() {
        Choice choice = Choice.of(List.of("--scenario", "herd,1", "--peers", "redisson,ours"), ALL);

        assertThat(choice.scenarios()).extracting(Scenario::id).containsExactly("1", "herd");
        assertThat(choice.peersIn(new ManyClients())).extracting(Peer::name).containsExactly("ours", "redisson");
    }

    @Test
    void theShortFormHasThePeersOfRatiosAndTargetsUnlessTheyAreNamed() {
        assertThat(Choice.of(List.of("--short"), ALL).peersIn(FreeLocks.oneThread()))
                .extracting(Peer::name)
                .containsExactly("ours", "ours-pipelined", "redisson", "raw-sync");
        assertThat(Choice.of(List.of("--short"), ALL).peersIn(new ManyClients()))
                .extracting(Peer::name)
                .containsExactly("ours", "redisson");
        assertThat(Choice.of(List.of("--short", "--peers", "lock4j"), ALL).peersIn(FreeLocks.oneThread()))
                .extracting(Peer::name)
                .containsExactly("lock4j");
    }

    @Test
    void eachScenarioHasARecordingOfItsOwn() {
        ProfileFile profile =
                Choice.of(List.of("--profile", "some/cycle.jfr"), ALL).profile().orElseThrow();

        assertThat(profile.of("2")).isEqualTo(Path.of("some/cycle-2.jfr").toAbsolutePath());
    }

    @Test
    void unknownWordsAreRefusedWithWhatIsKnown() {
        assertThatExceptionOfType(WrongUsage.class)
                .isThrownBy(() -> Choice.of(List.of("--scenario", "99"), ALL))
                .withMessageContaining("99")
                .withMessageContaining("1, 5, herd");
        assertThatExceptionOfType(WrongUsage.class).isThrownBy(() -> Choice.of(List.of("--peers", "nobody"), ALL));
        assertThatExceptionOfType(WrongUsage.class).isThrownBy(() -> Choice.of(List.of("--fast"), ALL));
        assertThatExceptionOfType(WrongUsage.class).isThrownBy(() -> Choice.of(List.of("--peers"), ALL));
    }
}
