package io.distributedlock.simulation.clock;

import java.lang.reflect.Field;
import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.concurrent.ThreadLocalRandom;
import sun.misc.Unsafe;

/**
 * Makes all that a thread draws depend on a seed. Code under test draws from {@link ThreadLocalRandom} and from {@link
 * java.security.SecureRandom}; the second draws from the first here.
 */
public final class Chance {

    private static final Unsafe MEMORY = memory();
    private static final long SEED = place("threadLocalRandomSeed");

    private Chance() {}

    /** Has to be called before any class draws. */
    public static void install() {
        Security.insertProviderAt(new Seeded(), 1);
    }

    /** What this thread draws from now on follows from the seed. */
    @SuppressWarnings("unused")
    public static void seed(long seed) {
        ThreadLocalRandom initialized = ThreadLocalRandom.current();
        MEMORY.putLong(Thread.currentThread(), SEED, seed * 0x9E3779B97F4A7C15L);
    }

    private static Unsafe memory() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException absent) {
            throw new IllegalStateException(absent);
        }
    }

    @SuppressWarnings({"deprecation", "removal"})
    private static long place(String field) {
        try {
            return MEMORY.objectFieldOffset(Thread.class.getDeclaredField(field));
        } catch (NoSuchFieldException absent) {
            throw new IllegalStateException(absent);
        }
    }

    private static final class Seeded extends Provider {

        private static final long serialVersionUID = 1L;

        Seeded() {
            super("Seeded", "1", "draws that follow from a seed");
            put("SecureRandom.Seeded", Draws.class.getName());
        }
    }

    /** Draws of the calling thread. */
    public static final class Draws extends SecureRandomSpi {

        private static final long serialVersionUID = 1L;

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            ThreadLocalRandom.current().nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int bytes) {
            byte[] seed = new byte[bytes];
            engineNextBytes(seed);
            return seed;
        }
    }
}
