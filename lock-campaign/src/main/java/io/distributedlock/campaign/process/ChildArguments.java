package io.distributedlock.campaign.process;

import io.distributedlock.campaign.client.Timing;
import io.distributedlock.campaign.workload.WorkloadType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The command line of a child process. */
record ChildArguments(
        String uri,
        String process,
        Path folder,
        int contended,
        int keys,
        Timing timing,
        int threads,
        long firstId,
        int firstOwnKey,
        long seed,
        WorkloadType type) {

    String[] arguments() {
        return Stream.of(
                        uri,
                        process,
                        folder,
                        contended,
                        keys,
                        timing.commandTimeout(),
                        timing.ttl(),
                        threads,
                        firstId,
                        firstOwnKey,
                        seed,
                        type)
                .map(Object::toString)
                .toArray(String[]::new);
    }

    static ChildArguments parse(String... arguments) {
        List<String> words = List.of(arguments);
        return new ChildArguments(
                words.get(0),
                words.get(1),
                Path.of(words.get(2)),
                Integer.parseInt(words.get(3)),
                Integer.parseInt(words.get(4)),
                new Timing(Duration.parse(words.get(5)), Duration.parse(words.get(6))),
                Integer.parseInt(words.get(7)),
                Long.parseLong(words.get(8)),
                Integer.parseInt(words.get(9)),
                Long.parseLong(words.get(10)),
                WorkloadType.valueOf(words.get(11)));
    }
}
