package io.distributedlock.testkit.history;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The eight hexadecimal digits by which histories name an owner without giving its value away. */
public final class OwnerHash {
    private static final int LENGTH = 8;

    private OwnerHash() {}

    /** The hash of an owner value as it stands in Redis; empty for an empty value. */
    public static String of(String owner) {
        if (owner.isEmpty()) {
            return "";
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    static void require(String hash) {
        if (!hash.isEmpty() && hash.length() != LENGTH) {
            throw new IllegalArgumentException(
                    "an owner is recorded by its hash of " + LENGTH + " characters, this one has " + hash.length());
        }
    }
}
