package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.WrongUsage;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What the command line asks for.
 *
 * @param named the peers it names; all if empty
 */
record Choice(List<Scenario> scenarios, List<Peer> named, Scale scale, Optional<ProfileFile> profile) {

    /** @throws WrongUsage if an option or one of its values is unknown */
    static Choice of(List<String> options, List<Scenario> all) {
        Set<String> scenarios = new TreeSet<>();
        Set<String> peers = new TreeSet<>();
        Scale scale = Scale.FULL;
        Optional<ProfileFile> profile = Optional.empty();
        Deque<String> rest = new ArrayDeque<>(options);
        while (!rest.isEmpty()) {
            String option = rest.remove();
            switch (option) {
                case Program.SHORT -> scale = Scale.SHORT;
                case "--scenario" -> scenarios.addAll(values(option, rest));
                case "--peers" -> peers.addAll(values(option, rest));
                case "--profile" -> profile = Optional.of(new ProfileFile(Path.of(value(option, rest))));
                default -> throw new WrongUsage("unknown option " + option);
            }
        }
        List<Peer> named = peers.isEmpty() ? List.of() : chosen("peer", peers, Catalogue.all(), Peer::name);
        return new Choice(chosen("scenario", scenarios, all, Scenario::id), named, scale, profile);
    }

    /** Who may take part in a scenario. In the short form, unless they are named, those whom its targets need. */
    List<Peer> peersIn(Scenario scenario) {
        if (!named.isEmpty()) {
            return named;
        }
        Set<String> needed = scenario.layout().needed();
        return Catalogue.all().stream()
                .filter(each -> !scale.isShort() || needed.contains(each.name()))
                .toList();
    }

    /** All if none are named. */
    private static <T> List<T> chosen(String what, Set<String> names, List<T> all, Function<T, String> nameOf) {
        List<String> known = all.stream().map(nameOf).toList();
        names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new WrongUsage("there is no " + what + " " + name + ", but: " + String.join(", ", known));
        });
        return all.stream()
                .filter(each -> names.isEmpty() || names.contains(nameOf.apply(each)))
                .toList();
    }

    RunOptions setting(Scenario scenario, PrintStream progress) {
        Deadline deadline = scale.isShort() ? Deadline.in(scenario.shortLimit()) : Deadline.NONE;
        return new RunOptions(peersIn(scenario), scale, deadline, profile, progress);
    }

    private static List<String> values(String option, Deque<String> rest) {
        return Arrays.asList(value(option, rest).split(","));
    }

    private static String value(String option, Deque<String> rest) {
        String value = rest.poll();
        if (value == null) {
            throw new WrongUsage(option + " needs a value");
        }
        return value;
    }
}
