package io.distributedlock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockId;
import io.distributedlock.ScriptedStore;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is written of incidents, and when. */
class IncidentLogTest {

    private static final int MANY = 300;

    private final ManualScheduler time = new ManualScheduler();
    private final List<String> written = new ArrayList<>();
    private @Nullable StoreException failure;

    private final LockStore store = new ScriptedStore(time) {
        @Override
        public Optional<ClientRoster> roster() {
            return Optional.of(new Lines());
        }
    };

    private final IncidentLog log = new IncidentLog(store, new ClientIdentity("shop", null, null, null, null), time);

    private void note(String name) {
        log.noteForced(LockId.of(name, "key"));
        time.advance(Duration.ofSeconds(1));
    }

    /** Names that are made of the keys of users would fill the store for a week. */
    @Test
    void aClientWritesAboutSoManyNamesAtMost() {
        for (int i = 0; i < MANY; i++) {
            note("user-" + i);
        }
        assertThat(written).hasSize(IncidentLog.MAX_NAMES);
        note("user-0");
        assertThat(written).hasSize(IncidentLog.MAX_NAMES + 1);
        assertThat(written.get(IncidentLog.MAX_NAMES)).contains("left-out=" + (MANY - IncidentLog.MAX_NAMES));
    }

    @Test
    void whatAFullStoreRefusesIsWrittenOnceItTakesLinesAgain() {
        failure = StoreException.refused("OOM command not allowed", null);
        note("orders");
        assertThat(written).isEmpty();
        failure = null;
        note("stock");
        assertThat(written)
                .hasSize(2)
                .anyMatch(line -> line.startsWith("orders "))
                .anyMatch(line -> line.startsWith("stock "));
    }

    @Test
    void aStoreThatDeniesTheRightIsNotAskedAgain() {
        failure = StoreException.denied("NOPERM", null);
        note("orders");
        failure = null;
        note("stock");
        assertThat(written).isEmpty();
    }

    private final class Lines implements ClientRoster {

        @Override
        public CompletionStage<?> record(String name, String line, int kept, Duration life) {
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            written.add(name + " " + line);
            return CompletableFuture.completedFuture(1L);
        }

        @Override
        public CompletionStage<?> publish(String client, String line, Duration life) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> withdraw(String client) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Optional<Entry>> look(String client) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }
}
