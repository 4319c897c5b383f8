package io.distributedlock.testkit.provider;

import io.distributedlock.testkit.provider.Rule.Effect;
import io.distributedlock.testkit.relay.Passage;
import io.distributedlock.testkit.resp.RespFrames;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One node of a provider: the rules that apply there and the scripts that were loaded there. */
final class ProviderNode {
    private static final String NO_SCRIPT = "-NOSCRIPT No matching script. Please use EVAL.\r\n";

    private final Profile profile;
    private final String prologue;
    /** The digest of each script that the server was sent, by the digest of the text that the client knows. */
    private final Map<String, String> loaded = new ConcurrentHashMap<>();

    private final Map<Rule, LongAdder> refusals = new ConcurrentHashMap<>();

    ProviderNode(Profile profile) {
        this.profile = profile;
        this.prologue = profile.prologue();
    }

    long refusals(Rule rule) {
        LongAdder count = refusals.get(rule);
        return count == null ? 0 : count.sum();
    }

    Passage passage(List<String> command) {
        for (Rule rule : profile.rules()) {
            if (refuses(rule.effect(), command)) {
                refusals.computeIfAbsent(rule, each -> new LongAdder()).increment();
                return new Passage.Answered("-" + rule.answerTo(command) + "\r\n");
            }
            if (rule.effect() instanceof Effect.Addition addition
                    && isNamed(command, addition.name())
                    && addition.applies().test(command)) {
                return new Passage.Replaced(replaced(command, 1, "EVAL", addition.lua(), "1", command.get(1)));
            }
        }
        return isNamed(command, "COMMAND", "INFO") ? described(command) : scripted(command);
    }

    private static boolean refuses(Effect effect, List<String> command) {
        if (effect instanceof Effect.Commands commands) {
            return commands.refused().test(command);
        }
        return effect instanceof Effect.Texts texts
                && text(command).map(ScriptText::new).filter(texts.refused()).isPresent();
    }

    /** The text of a script that comes with this command. */
    private static Optional<String> text(List<String> command) {
        if (command.size() < 3) {
            return Optional.empty();
        }
        return isNamed(command, "EVAL") || isNamed(command, "EVAL_RO")
                ? Optional.of(command.get(1))
                : isNamed(command, "SCRIPT", "LOAD") ? Optional.of(command.get(2)) : Optional.empty();
    }

    private Passage scripted(List<String> command) {
        if (isNamed(command, "SCRIPT", "FLUSH")) {
            loaded.clear();
        }
        if (command.size() < 3) {
            return new Passage.Unchanged();
        }
        if (isNamed(command, "EVAL") || isNamed(command, "EVAL_RO")) {
            load(command.get(1));
            return new Passage.Replaced(replaced(command, 1, command.get(0), prologue + command.get(1)));
        }
        if (isNamed(command, "EVALSHA") || isNamed(command, "EVALSHA_RO")) {
            String digest = loaded.get(command.get(1).toLowerCase(Locale.ROOT));
            return digest == null
                    ? new Passage.Answered(NO_SCRIPT)
                    : new Passage.Replaced(replaced(command, 1, command.get(0), digest));
        }
        if (isNamed(command, "SCRIPT", "LOAD")) {
            String digest = load(command.get(2));
            return new Passage.Replaced(
                    replaced(command, 2, "SCRIPT", "LOAD", prologue + command.get(2)),
                    reply -> reply[0] == '-' ? reply : bytes("$" + digest.length() + "\r\n" + digest + "\r\n"));
        }
        if (isNamed(command, "SCRIPT", "EXISTS")) {
            return new Passage.Answered(command.stream()
                    .skip(2)
                    .map(digest -> loaded.containsKey(digest.toLowerCase(Locale.ROOT)) ? ":1\r\n" : ":0\r\n")
                    .collect(Collectors.joining("", "*" + (command.size() - 2) + "\r\n", "")));
        }
        return new Passage.Unchanged();
    }

    private String load(String text) {
        String digest = sha1(text);
        loaded.computeIfAbsent(digest, each -> sha1(prologue + text));
        return digest;
    }

    /** The server describes the commands that it has itself; the others are described here. */
    private Passage described(List<String> command) {
        return new Passage.Replaced(command, reply -> {
            List<byte[]> elements = RespFrames.elements(reply);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(bytes("*" + elements.size() + "\r\n"));
            for (int i = 0; i < elements.size(); i++) {
                byte[] element = elements.get(i);
                String name = i + 2 < command.size() ? command.get(i + 2) : "";
                all.writeBytes(isNull(element) && isAdded(name) ? bytes(description(name)) : element);
            }
            return reply[0] == '*' ? all.toByteArray() : reply;
        });
    }

    private boolean isAdded(String name) {
        return profile.rules().stream()
                .anyMatch(rule -> rule.effect() instanceof Effect.Addition addition
                        && addition.name().equalsIgnoreCase(name));
    }

    private static boolean isNull(byte[] element) {
        return element[0] == '_' || element[1] == '-';
    }

    /** Name, least number of words, flags, positions of the first and the last key, and the step between keys. */
    private static String description(String name) {
        return "*6\r\n$" + name.length() + "\r\n" + name.toLowerCase(Locale.ROOT)
                + "\r\n:-2\r\n*1\r\n+write\r\n:1\r\n:1\r\n:1\r\n";
    }

    private static boolean isNamed(List<String> command, String name) {
        return isNamed(command, name, null);
    }

    private static boolean isNamed(List<String> command, String name, @Nullable String subcommand) {
        return command.get(0).equalsIgnoreCase(name)
                && (subcommand == null || (command.size() > 1 && command.get(1).equalsIgnoreCase(subcommand)));
    }

    /** These words, and those of the command behind the word with this index. */
    private static List<String> replaced(List<String> command, int last, String... words) {
        return Stream.concat(Stream.of(words), command.stream().skip(last + 1L)).toList();
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
