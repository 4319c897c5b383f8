package io.distributedlock.campaign.process;

import io.distributedlock.campaign.client.BusyExecutor;
import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.campaign.workload.SharedState;
import io.distributedlock.campaign.workload.WorkerGroup;
import io.distributedlock.testkit.history.EventFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * A process of the campaign that can be paused and killed: takes locks until a line tells it to stop, and
 * reports what is left.
 */
final class CampaignChild {

    static final String READY = "ready";
    static final String LEFT = "left ";
    static final String ERROR = "surprise ";
    static final String STOP = "stop";

    private static final Duration CLEAN_UP_LIMIT = Duration.ofSeconds(20);

    private CampaignChild() {}

    public static void main(String[] args) throws IOException {
        ChildArguments arguments = ChildArguments.parse(args);
        SharedState sharedState = SharedState.open(arguments.folder(), arguments.contended(), arguments.keys());
        Path events = arguments.folder().resolve(arguments.process() + ".events");
        try (EventFile file = EventFile.append(events);
                BusyExecutor executor = new BusyExecutor();
                ClientUnderTest underTest =
                        ClientUnderTest.open(arguments.uri(), arguments.timing(), executor, Mutation.NONE)) {
            underTest.warmUp("warm-up-" + arguments.process());
            WorkerGroup workers = new WorkerGroup(arguments.process(), underTest, sharedState, file);
            Random seeds = new Random(arguments.seed());
            for (int i = 0; i < arguments.threads(); i++) {
                workers.join(
                        arguments.firstId() + i,
                        arguments.firstOwnKey() + i,
                        arguments.type().mix(true),
                        seeds.nextLong());
            }
            System.out.println(READY);
            awaitStop();
            workers.stop();
            workers.errors().forEach(error -> System.out.println(ERROR + error));
            Pacer.await(CLEAN_UP_LIMIT, () -> underTest.client().unresolved() == 0);
            System.out.println(LEFT + underTest.client().unresolved());
        }
    }

    private static void awaitStop() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = input.readLine();
        while (line != null && !line.equals(STOP)) {
            line = input.readLine();
        }
    }
}
