package io.distributedlock.redis.server;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.redis.script.RedisReplies;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the server refuses to do to locks that are held, with its own words, until it does it again. */
public final class RefusedCommands {

    public enum Kind {
        RELEASE("release", "Each refused lock stays until its lease ends or a repetition of its release succeeds"),
        RENEWAL("renew", "Their holders lose them at the end of the lease");

        private final String verb;
        private final String consequence;

        Kind(String verb, String consequence) {
            this.verb = verb;
            this.consequence = consequence;
        }
    }

    private final Map<Kind, String> problems = new ConcurrentHashMap<>();

    /** Warns of an error that the server did not answer the last time. Where there are no scripts, others are tried. */
    public void ended(Kind kind, @Nullable Throwable failure) {
        if (failure == null) {
            if (!problems.isEmpty()) {
                problems.remove(kind);
            }
            return;
        }
        if (RedisReplies.isWithoutScripts(failure)) {
            return;
        }
        RedisReplies.errorOf(failure).ifPresent(text -> {
            String problem = "Redis refuses to " + kind.verb + " locks. " + kind.consequence + ". It answers: " + text;
            if (!problem.equals(problems.put(kind, problem))) {
                Warnings.write(RefusedCommands.class, problem);
            }
        });
    }

    public Optional<String> problem() {
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems.values()));
    }
}
