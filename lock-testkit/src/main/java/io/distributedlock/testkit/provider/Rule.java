package io.distributedlock.testkit.provider;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * One thing that a provider refuses or does differently, as it was read at a source.
 *
 * @param readOn when the source said so; rules of providers change
 * @param answer what the client is answered, an error with its leading code; {@code {0}} and {@code {1}} stand for the
 *     first words of the command
 * @param verbatim whether the answer is quoted from a source; else the source states the rule without its text, and the
 *     answer is that of a Redis that lacks the same
 * @param example a command to which the rule applies, and which a server without the rule answers differently
 */
public record Rule(
        String name,
        String source,
        LocalDate readOn,
        Effect effect,
        String answer,
        boolean verbatim,
        List<String> example) {

    /** How a rule shows. */
    public sealed interface Effect {
        /** Refuses commands, given their words. */
        record Commands(Predicate<List<String>> refused) implements Effect {}

        /** Refuses scripts for their text, wherever it is sent, without running them. */
        record Texts(Predicate<ScriptText> refused) implements Effect {}

        /**
         * Answers calls within scripts instead of the server.
         *
         * @param lua statements that see {@code command}, the name in capitals, {@code args}, the whole call, and
         *     {@code answer}, the error of the rule; they return the reply, or nothing if the call is to be made
         */
        record Calls(String lua) implements Effect {}

        /**
         * Adds a command to those of the server, by a script there.
         *
         * @param name of the command; one that the server has already is only extended
         * @param applies given the words of a command of that name
         * @param lua is given the first argument as key and the others as arguments
         */
        record Addition(String name, Predicate<List<String>> applies, String lua) implements Effect {}
    }

    /** The answer to this command. */
    String answerTo(List<String> command) {
        String first = command.get(0).toLowerCase(Locale.ROOT);
        String second = command.size() < 2 ? "" : command.get(1);
        return answer.replace("{0}", first).replace("{1}", second);
    }

    @Override
    public String toString() {
        return name;
    }
}
