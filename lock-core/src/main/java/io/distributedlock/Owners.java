package io.distributedlock;

import java.security.SecureRandom;
import java.util.Base64;

/** Makes owners: 128 random bits, a new one for each acquisition, so that no late command of one can touch the lock of another. */
final class Owners {

    private static final int BYTES = 16;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final SecureRandom random = new SecureRandom();

    String next() {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        return TEXT.encodeToString(bits);
    }
}
