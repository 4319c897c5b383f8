package io.distributedlock;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one lock, in one encoded string that a store can use as it is.
 *
 * <p>Name and key are encoded one by one, so that no value of a key can imitate another name, choose a Cluster slot by
 * braces, or break a line of a log. Two different pairs never share an encoding. More than {@value #MAX_BYTES} bytes
 * are cut to a readable beginning and the SHA-256 of the whole.
 */
public final class LockId {

    static final int MAX_BYTES = 512;

    private static final int READABLE_CHARS = 100;
    private static final String SEPARATOR = ":";
    private static final String RESERVED = " {}%~";
    /** What {@link #of} makes of a name and a key. */
    private static final Pattern ENCODED = Pattern.compile(
            "(?:[^ {}%~\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]|%[0-9A-F]{2}|%u[0-9A-F]{4})+(?:~[0-9a-f]{64})?");

    private final String name;
    private final String encoded;
    /** Null where the encoding shows the key as it is, so that it need not be kept twice. */
    private final @Nullable String key;

    private LockId(String name, String key, String encoded) {
        this.name = name;
        this.encoded = encoded;
        this.key = encoded.length() == name.length() + SEPARATOR.length() + key.length() && encoded.endsWith(key)
                ? null
                : key;
    }

    /** @param key empty for the lock of the name alone */
    public static LockId of(String name, String key) {
        String whole = key.isEmpty() ? encode(name, true) : encode(name, true) + SEPARATOR + encode(key, false);
        byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
        return new LockId(name, key, bytes.length <= MAX_BYTES ? whole : readable(whole) + "~" + sha256(bytes));
    }

    /**
     * The identity that a report shows as {@code text}, or that a person has written down: the name, or the name, a
     * colon and the key. What is not encoded yet is encoded.
     *
     * @throws IllegalArgumentException if it has no name, or ends with the first colon
     */
    public static LockId parse(String text) {
        int end = text.indexOf(SEPARATOR);
        String name = end < 0 ? text : text.substring(0, end);
        if (name.isBlank() || end == text.length() - 1) {
            throw new IllegalArgumentException(
                    "This is no id of a lock. An id is a name, or a name, a colon and a key, for example orders:42");
        }
        String key = end < 0 ? "" : text.substring(end + 1);
        return ENCODED.matcher(text).matches() ? new LockId(name, key, text) : of(name, key);
    }

    /** The static part of the lock's identity. */
    public String name() {
        return name;
    }

    /** The variable part of the lock's identity, as the caller wrote it; empty for the lock of a name alone. */
    public String key() {
        return key == null ? encoded.substring(name.length() + SEPARATOR.length()) : key;
    }

    /** What stores know the lock by. */
    public String encoded() {
        return encoded;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockId id && encoded.equals(id.encoded);
    }

    @Override
    public int hashCode() {
        return encoded.hashCode();
    }

    @Override
    public String toString() {
        return "LockId[" + display() + "]";
    }

    /** For messages and logs: without control characters, and short. */
    public String display() {
        return encoded.length() <= READABLE_CHARS + 20 ? encoded : readable(encoded) + "...";
    }

    private static String readable(String text) {
        int end = Character.isHighSurrogate(text.charAt(READABLE_CHARS - 1)) ? READABLE_CHARS - 1 : READABLE_CHARS;
        return text.substring(0, end);
    }

    private static String encode(String part, boolean isName) {
        StringBuilder encoded = null;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < part.length()
                    && Character.isLowSurrogate(part.charAt(i + 1));
            String replacement = pair ? null : isName && c == SEPARATOR.charAt(0) ? "%3A" : replacement(c);
            if (replacement != null && encoded == null) {
                encoded = new StringBuilder(part.length() + 16).append(part, 0, i);
            }
            if (encoded != null) {
                encoded.append(replacement != null ? replacement : pair ? part.substring(i, i + 2) : String.valueOf(c));
            }
            i += pair ? 1 : 0;
        }
        return encoded == null ? part : encoded.toString();
    }

    private static @Nullable String replacement(char c) {
        if (Character.isSurrogate(c)) {
            return "%%u%04X".formatted((int) c);
        }
        boolean escape = Character.isISOControl(c) || RESERVED.indexOf(c) >= 0 || c == '\u2028' || c == '\u2029';
        return escape ? c < 0x100 ? "%%%02X".formatted((int) c) : "%%u%04X".formatted((int) c) : null;
    }

    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("Every Java platform has SHA-256, but this one does not", absent);
        }
    }
}
