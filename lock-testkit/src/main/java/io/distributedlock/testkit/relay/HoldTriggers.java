package io.distributedlock.testkit.relay;

import io.distributedlock.testkit.resp.RespFrames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Wishes to hold a direction as soon as a certain request passes, each fulfilled once; confined to the relay's thread.
 */
final class HoldTriggers {
    private final List<Trigger> armed = new ArrayList<>();

    private record Trigger(
            Predicate<String> request, Consumer<RelayConnection> hold, CompletableFuture<RelayConnection> fulfilled) {}

    CompletableFuture<RelayConnection> add(Predicate<String> request, Consumer<RelayConnection> hold) {
        Trigger trigger = new Trigger(request, hold, new CompletableFuture<>());
        armed.add(trigger);
        return trigger.fulfilled();
    }

    /** Puts the holds for this request in force; gives what is to be completed once it has been forwarded. */
    List<CompletableFuture<RelayConnection>> pull(byte[] request, RelayConnection connection) {
        if (armed.isEmpty()) {
            return List.of();
        }
        String text = text(request);
        List<CompletableFuture<RelayConnection>> pulled = new ArrayList<>();
        for (Iterator<Trigger> triggers = armed.iterator(); triggers.hasNext(); ) {
            Trigger trigger = triggers.next();
            if (trigger.fulfilled().isDone()) {
                triggers.remove();
            } else if (trigger.request().test(text)) {
                triggers.remove();
                trigger.hold().accept(connection);
                pulled.add(trigger.fulfilled());
            }
        }
        return pulled;
    }

    private static String text(byte[] request) {
        List<String> words = RespFrames.words(request);
        return words.isEmpty() ? new String(request, StandardCharsets.ISO_8859_1) : String.join(" ", words);
    }
}
