package io.distributedlock.benchmarks.incident;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What this project promises for these scenes, held against what was seen. */
final class Bounds {

    private static final Duration AFTER_RETURN = Duration.ofMillis(250);
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private Bounds() {}

    /** How long the key may stay once Redis can be reached again, or once the client is dead. */
    static Duration of(Scene scene) {
        return scene == Scene.CLIENT_KILLED ? AFTER_KILL : AFTER_RETURN;
    }

    /** One sentence for each promise that was not kept. */
    static List<String> missed(Finding finding) {
        Duration bound = of(finding.scene());
        String prefix = "NOT KEPT: " + finding.scene().title() + ": ";
        Stream<String> stay = finding.stuck() > 0 || finding.stay().compareTo(bound) > 0
                ? Stream.of(
                        prefix + "the key stayed " + Times.text(finding.stay()) + ", the bound is " + Times.text(bound))
                : Stream.empty();
        Stream<String> lies = finding.untrue() > 0
                ? Stream.of(prefix + finding.untrue() + " callers were told something untrue")
                : Stream.empty();
        return Stream.concat(stay, lies).toList();
    }
}
