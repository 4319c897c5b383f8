package io.distributedlock.campaign;

import io.distributedlock.testkit.history.EventFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/** A process of the campaign that can be paused and killed: takes locks until it is told to stop, and says what it has left. */
final class CampaignChild {

    static final String READY = "ready";
    static final String LEFT = "left ";
    static final String SURPRISE = "surprise ";
    static final String STOP = "stop";

    private static final Duration CLEAN_UP_LIMIT = Duration.ofSeconds(20);

    private CampaignChild() {}

    public static void main(String[] args) throws IOException {
        ChildOrders orders = ChildOrders.parse(args);
        Arena arena = Arena.open(orders.folder(), orders.contended(), orders.keys());
        Path events = orders.folder().resolve(orders.process() + ".events");
        try (EventFile file = EventFile.append(events);
                BusyExecutor executor = new BusyExecutor();
                Subject subject = Subject.open(orders.uri(), orders.timing(), executor, Mutation.NONE)) {
            subject.warmUp("warm-up-" + orders.process());
            Party party = new Party(orders.process(), subject, arena, file);
            Random seeds = new Random(orders.seed());
            for (int i = 0; i < orders.threads(); i++) {
                party.join(
                        orders.firstId() + i,
                        orders.firstOwnKey() + i,
                        orders.work().mix(true),
                        seeds.nextLong());
            }
            System.out.println(READY);
            awaitStop();
            party.stop();
            party.surprises().forEach(surprise -> System.out.println(SURPRISE + surprise));
            Pacer.await(CLEAN_UP_LIMIT, () -> subject.client().unresolved() == 0);
            System.out.println(LEFT + subject.client().unresolved());
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
