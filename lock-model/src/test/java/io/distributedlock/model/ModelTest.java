package io.distributedlock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The models of docs/model: every promise holds in every state, and each mistake that is planted breaks one. */
class ModelTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "Lock,Lock",
        "Lock,LockScripts",
        "HandOver,HandOver",
        "Renewal,Renewal",
        "Renewal,RenewalMinHold",
        "Renewal,RenewalStretch",
        "Quorum,Quorum",
        "Quorum,QuorumDrift",
        "Quorum,QuorumTokens"
    })
    void everyPromiseHoldsInEveryState(String module, String bounds) throws IOException {
        ModelRun run = ModelRun.of(module, bounds, "", folder);
        System.out.println(run.line());
        assertThat(run.isSound()).as(run.output()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Lock,LockWide,one owner for a client",
        "Lock,LockWide,the deadline counts from the reply",
        "Lock,LockWide,no clean-up",
        "Lock,LockWide,every answer settles",
        "Lock,LockWide,nil is a refusal",
        "Lock,LockWide,absent is a loss",
        "Lock,LockWide,the mark is ignored",
        "Lock,LockWide,a plain DEL at release",
        "Lock,LockWideLease,a renewal writes the key",
        "Lock,LockWideLease,a token is drawn without comparing",
        "HandOver,HandOver,no slice",
        "HandOver,HandOver,the next caller has a whole lease",
        "HandOver,HandOver,an open lease is forgotten",
        "HandOver,HandOver,a waiter that has left stays in line",
        "Renewal,Renewal,a renewal counts from its reply",
        "Renewal,Renewal,tokens do not follow the clock",
        "Renewal,Renewal,a token is drawn without comparing",
        "Renewal,Renewal,every answer settles",
        "Renewal,Renewal,gone is a loss",
        "Renewal,RenewalMinHold,no clean-up",
        "Renewal,RenewalMinHold,a kept lock is not cleaned up",
        "Renewal,RenewalMinHold,no reply to a release is an end",
        "Renewal,RenewalMinHold,a kept lock is cleaned up at once",
        "Renewal,RenewalStretch,an extension shortens a lease",
        "Renewal,RenewalStretch,no margin for drift",
        "Quorum,Quorum,no quarantine",
        "Quorum,Quorum,the quarantine is too short",
        "Quorum,Quorum,a minority is enough",
        "Quorum,Quorum,a minority renews",
        "Quorum,Quorum,an unknown answer is a vote",
        "Quorum,Quorum,unknown votes are not released",
        "Quorum,Quorum,a release is not repeated",
        "Quorum,QuorumDrift,no margin for drift",
        "Quorum,QuorumTokens,one vote only",
        "Quorum,QuorumTokens,a clock is ahead by the quarantine"
    })
    void aPlantedMistakeBreaksAPromise(String module, String bounds, String mistake) {
        ModelRun run = ModelRun.of(module, bounds, mistake, folder);
        System.out.println("planted in " + bounds + ": " + mistake + " | "
                + (run.breach().isEmpty() ? "missed" : "caught by " + run.breach()) + " | states: " + run.states());
        assertThat(run.breach()).as(run.output()).isNotEmpty();
    }
}
