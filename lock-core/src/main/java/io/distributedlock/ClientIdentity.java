package io.distributedlock;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a client says about itself to people who ask who holds a lock. Every user of the store's keys can read it, and
 * messages and logs show it, so it has no secrets: texts are cut to {@value #MAX_CHARS} characters, and blanks and
 * control characters in them become hyphens.
 *
 * @param application the name of the application
 * @param version the version of the application
 * @param host the machine, or the container
 * @param pid the process
 * @param startedAt when the process was started, in whole seconds
 */
public record ClientIdentity(
        @Nullable String application,
        @Nullable String version,
        @Nullable String host,
        @Nullable Long pid,
        @Nullable Instant startedAt)
        implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final int MAX_CHARS = 80;

    public ClientIdentity {
        application = clean(application);
        version = clean(version);
        host = clean(host);
        startedAt = startedAt == null ? null : startedAt.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * This process on this machine.
     *
     * @param application null if it has no name
     * @param version null if it is not known
     */
    public static ClientIdentity ofProcess(@Nullable String application, @Nullable String version) {
        ProcessHandle process = ProcessHandle.current();
        return new ClientIdentity(
                application,
                version,
                hostName(),
                process.pid(),
                process.info().startInstant().orElse(null));
    }

    /** No name service is asked, because that may take seconds. */
    private static @Nullable String hostName() {
        String name = System.getenv("HOSTNAME");
        if (name == null) {
            name = System.getenv("COMPUTERNAME");
        }
        try {
            return name == null ? Files.readString(Path.of("/proc/sys/kernel/hostname")) : name;
        } catch (IOException | RuntimeException unknown) {
            return null;
        }
    }

    private static @Nullable String clean(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        String plain = text.strip().replaceAll("[\\s\\p{Cntrl}]", "-");
        return plain.length() <= MAX_CHARS ? plain : plain.substring(0, MAX_CHARS);
    }

    /** Such as {@code shop on web-1 (pid 4711)}; what is not known is left out. */
    @Override
    public String toString() {
        String place = host == null ? "" : application == null ? host : " on " + host;
        String who = (application == null ? "" : application) + place;
        String process = pid == null ? "" : "pid " + pid;
        if (who.isEmpty()) {
            return process.isEmpty() ? "a client without a name" : process;
        }
        return process.isEmpty() ? who : who + " (" + process + ")";
    }
}
