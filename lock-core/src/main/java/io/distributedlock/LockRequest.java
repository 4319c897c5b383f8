package io.distributedlock;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which lock is wanted, and how.
 *
 * <p>A request for several keys is one for several locks, all or none: they are taken one after the other in the order
 * of their keys, which is the same for everybody, so that two such requests can't wait for each other. One wait time
 * covers them all.
 *
 * @param name the static part: it groups locks of one kind and becomes a tag of metrics, so it must not contain user
 *     data
 * @param keys the variable part, in order and each of them once; requests with the same name and key exclude each
 *     other. A list of the empty text alone stands for the lock of the name, without a variable part
 * @param mode whether others may hold the lock at the same time
 * @param options how to take and hold it
 */
public record LockRequest(String name, List<String> keys, LockMode mode, LockOptions options) {

    /**
     * More locks than this can't be had at once: each is a round trip, and the first ones are held until the last one
     * is.
     */
    public static final int MAX_KEYS = 100;

    private static final String BETWEEN_KEYS = ",";
    private static final List<String> NAME_ALONE = List.of("");

    /**
     * @throws IllegalArgumentException if the name is blank; if one of the keys is empty or blank, because all calls
     *     without a value would share one lock; or if there is no key, or more than {@value #MAX_KEYS}
     */
    public LockRequest {
        if (requireNonNull(name, "A lock needs a name, but it is null").isBlank()) {
            throw new IllegalArgumentException("The name of a lock is blank. Give it a constant such as \"orders\"");
        }
        if (!keys.equals(NAME_ALONE)) {
            keys.forEach(key -> requireText(name, key));
        }
        keys = keys.size() == 1
                ? List.copyOf(keys)
                : keys.stream().sorted().distinct().toList();
        if (keys.isEmpty() || keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException("Lock '" + name + "' is wanted for " + keys.size()
                    + " keys, but has to have from 1 to " + MAX_KEYS
                    + ". For more, take one lock for what the keys have in common, or lock them in portions");
        }
    }

    /** A request for one key. */
    public LockRequest(String name, String key, LockMode mode, LockOptions options) {
        this(name, List.of(requireText(name, key)), mode, options);
    }

    /** A request to hold the lock of one key alone. */
    public LockRequest(String name, String key, LockOptions options) {
        this(name, key, LockMode.EXCLUSIVE, options);
    }

    /** A request for the lock of a name alone, such as that of a job of which there is one. */
    public static LockRequest of(String name) {
        return new LockRequest(name, NAME_ALONE, LockMode.EXCLUSIVE, LockOptions.DEFAULTS);
    }

    public static LockRequest of(String name, String key) {
        return new LockRequest(name, key, LockOptions.DEFAULTS);
    }

    /**
     * A request for the key that a value makes: see {@link #keyOf}.
     *
     * @throws IllegalArgumentException if the value has no text that is the same in every process
     */
    public static LockRequest of(String name, Object key) {
        return of(name, keyOf(key));
    }

    /** A request for the locks of all these keys, in whatever order they come. */
    public static LockRequest ofAll(String name, Collection<String> keys) {
        keys.forEach(key -> requireText(name, key));
        return new LockRequest(name, List.copyOf(keys), LockMode.EXCLUSIVE, LockOptions.DEFAULTS);
    }

    /**
     * The key that a value makes: the text of a number, a text, a UUID, a boolean or a value of {@code java.time}, the
     * name of an enum constant, the content of an {@link Optional}, or else what the value's own {@code toString()}
     * returns.
     *
     * @throws IllegalArgumentException if the value is null, empty or blank, because all calls without a value would
     *     share one lock; if it consists of several values; or if its text differs between processes
     */
    public static String keyOf(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return keyOf(optional.orElse(null));
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        String text = value == null ? null : textOf(value);
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("A key must not be " + (text == null ? "null" : "empty or blank")
                    + ": all calls without a value would share one lock");
        }
        return text;
    }

    private static @Nullable String textOf(Object value) {
        String type = value.getClass().getTypeName();
        if (value instanceof byte[]) {
            throw new IllegalArgumentException(
                    "A byte[] has no text of its own. Encode it, for example by HexFormat.of()");
        }
        if (value instanceof Collection
                || value instanceof Map
                || value.getClass().isArray()) {
            throw new IllegalArgumentException("A key is one value, but a " + type
                    + " can contain several. Name the value that identifies what is locked");
        }
        if (value instanceof Date || value instanceof Calendar) {
            throw new IllegalArgumentException("The text of a " + type + " depends on the time zone of the process."
                    + " Use a type of java.time, or toInstant()");
        }
        if (hasNoTextOfItsOwn(value)) {
            throw new IllegalArgumentException("A " + type + " has no toString() of its own, so that each process would"
                    + " use a different key. Name a property that identifies it, such as its id");
        }
        return value.toString();
    }

    private static boolean hasNoTextOfItsOwn(Object value) {
        try {
            return value.getClass().getMethod("toString").getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException impossible) {
            return true;
        }
    }

    private static String requireText(String name, String key) {
        if (requireNonNull(
                        key,
                        () -> "A key of lock '" + name
                                + "' is null: all calls without a value would share one lock. Check"
                                + " the value that the key is made of")
                .isBlank()) {
            throw new IllegalArgumentException("The key of lock '" + name
                    + "' is empty or blank: all calls without a value would share one lock. Check the value that the"
                    + " key is made of");
        }
        return key;
    }

    /** The key, empty for the lock of a name alone; several are joined by commas, for people to read. */
    public String key() {
        return keys.size() == 1 ? keys.get(0) : String.join(BETWEEN_KEYS, keys);
    }

    /**
     * The same lock, held together with others who share it, but never while an owner holds it alone. Who holds it
     * already can't turn a share into the whole lock.
     */
    public LockRequest shared() {
        return new LockRequest(name, keys, LockMode.SHARED, options);
    }

    /** The same lock, held for at most {@code ttl} and never renewed. */
    public LockRequest withTtl(Duration ttl) {
        return with(options.withTtl(ttl));
    }

    /** The same lock, waited for at most {@code waitTime}; zero means one try. */
    public LockRequest withWaitTime(Duration waitTime) {
        return with(options.withWaitTime(waitTime));
    }

    /** The same lock, lost to its holder after {@code maxHold} at the latest, however often it is renewed. */
    public LockRequest withMaxHold(Duration maxHold) {
        return with(options.withMaxHold(maxHold));
    }

    /** The same lock, whose loss interrupts the work that {@link LockTemplate} does under it. */
    public LockRequest withInterruptOnLoss() {
        return with(options.withInterruptOnLoss(true));
    }

    /**
     * The same lock, for asynchronous work whose stage is cancelled when its caller gives up, which ends the hold of
     * the lock.
     */
    public LockRequest withCancelWork() {
        return with(options.withCancelWork(true));
    }

    /** The same lock, taken and held as the {@link LockPolicy} of that name says, where this request says nothing. */
    public LockRequest withPolicy(String policy) {
        return with(options.withPolicy(policy));
    }

    /**
     * The same lock, which stays taken until {@code minHold} after its grant although it is released earlier: for jobs
     * that must not run again too soon on a machine whose clock differs.
     */
    public LockRequest withMinHold(Duration minHold) {
        return with(options.withMinHold(minHold));
    }

    /**
     * The same lock, granted together with its {@linkplain LockHandle#fencingToken() fencing token}: one command less
     * for a holder that needs it.
     */
    public LockRequest withFencing() {
        return with(options.withFencing(true));
    }

    /** The same for another key. */
    public LockRequest withKey(String key) {
        return new LockRequest(name, key, mode, options);
    }

    private LockRequest with(LockOptions changed) {
        return new LockRequest(name, keys, mode, changed);
    }

    /** The identities of the wanted locks, in the order of their keys. */
    public List<LockId> ids() {
        return keys.stream().map(key -> LockId.of(name, key)).toList();
    }

    /**
     * The identity of the wanted lock.
     *
     * @throws IllegalStateException if the request is for several keys
     */
    public LockId id() {
        if (keys.size() > 1) {
            throw new IllegalStateException(
                    "Lock '" + name + "' is wanted for " + keys.size() + " keys. Ask for ids()");
        }
        return LockId.of(name, keys.get(0));
    }
}
