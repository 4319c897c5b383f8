package io.distributedlock.spring;

import io.distributedlock.LockMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a Spring bean under a lock: {@code @DistributedLock("#userId")}.
 *
 * <p>Guaranteed: the method is called only after a definite grant, its lock is held until its result is complete, what
 * it throws reaches the caller as it is, and the lock is released after a transaction of the same method has ended, or
 * a transaction inside which the method was called. Calls for the same lock that are nested on one thread share it.
 * Mistakes in the annotation stop the start of the application.
 *
 * <p>A future or publisher, a Kotlin {@code suspend} function or {@code Flow} is complete when it has ended, failed or
 * been cancelled; the lock is released before the caller is notified. No thread waits for the lock of such a method,
 * and it is called where the application's tasks or Reactor's parallel work run. A publisher takes the lock, and calls
 * the method, for each subscription.
 *
 * <p>Not guaranteed: anything for a call that does not pass through Spring's proxy, such as {@code this.method()}; for
 * work that goes on after the result is complete, or behind another result such as a {@link java.util.stream.Stream};
 * and that the method stops when its lock is lost. The call then fails with a {@link
 * io.distributedlock.LockLostException} at its end; long work can ask {@link io.distributedlock.LockContext} in
 * between.
 *
 * <p>On a class it counts for each public method that has none of its own. Without a name these share the name of the
 * class, so that of all those methods with the same key one runs at a time; the key has to make sense for each of them.
 *
 * <p>Several of them on one method are nested locks, the outermost first, each with its own condition, policy and
 * answer to a refusal; what is held already is released if a later one is refused, and the innermost is released first.
 * Methods that take the same locks in different orders wait for each other until a wait time is over, so several locks
 * of one kind are better asked for by several keys.
 *
 * <p>It also works on a method of an interface or a superclass, and as a meta-annotation whose attributes are renamed
 * with {@link org.springframework.core.annotation.AliasFor}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Reflective
@Repeatable(DistributedLocks.class)
public @interface DistributedLock {

    /** The {@link #key()}, for an annotation without other attributes: {@code @DistributedLock("#userId")}. */
    @AliasFor("key")
    String[] value() default {};

    /**
     * The static part of the lock's identity, which groups locks of one kind and becomes a tag of metrics; may contain
     * placeholders. If it is empty, the simple name of the class in which the annotation stands, a dot and the method's
     * name, for example {@code OrderService.place}. Overloads share that name.
     */
    String name() default "";

    /**
     * The variable part of the lock's identity: a SpEL expression. Calls with the same name and key exclude each other.
     *
     * <p>Several expressions, as in {@code {"#from", "#to"}}, or one whose result is a collection or an array, mean
     * several locks, all or none. They are taken in an order that is the same for everybody, whatever the order of the
     * values, and a value that comes twice counts once. One wait time covers them all; there can be up to {@value
     * io.distributedlock.LockRequest#MAX_KEYS}.
     *
     * <p>It can use the arguments ({@code #userId}, or {@code #p0} by position), {@code #root} with {@code methodName},
     * {@code method}, {@code target}, {@code targetClass} and {@code args}, and beans ({@code @regions.of(#userId)}). A
     * constant stands in quotes: {@code "'nightly'"}. It is evaluated once, before the method runs. A result that is
     * null, empty or blank fails the call with an {@link IllegalArgumentException}, and so does a part of a
     * concatenation such as {@code "'order:' + #id"}.
     *
     * <p>A method without parameters needs no key if the annotation has a {@link #name()}: the name alone is the lock.
     */
    @AliasFor("value")
    String[] key() default {};

    /**
     * How long the lock is held at most, for example {@code "10s"}, {@code "500ms"} or {@code "PT10S"}; may contain
     * placeholders. Such a lock is never renewed. If it is empty, the lock is renewed until the method returns.
     */
    String ttl() default "";

    /**
     * How long a renewed lock is held at most, in the form of {@link #ttl()}: after that it is lost although the method
     * still runs, so that a method that hangs does not hold it for ever. If it is empty, {@code
     * distributed-lock.max-hold} applies.
     */
    String maxHold() default "";

    /**
     * Until when after its grant the lock stays taken although the method has returned, in the form of {@link #ttl()}
     * and at most that: so that a scheduled job that is short does not run again on a machine whose clock is late. It
     * ends by itself, whatever becomes of this process. Only for locks that are not shared.
     */
    String minHold() default "";

    /**
     * How long a call waits for the lock, in the form of {@link #ttl()}; {@code "0"} means one try. If it is empty,
     * {@code distributed-lock.wait-time} applies.
     */
    String waitTime() default "";

    /**
     * The name of one of {@code distributed-lock.policies}, or of a {@link io.distributedlock.TtlPolicy} bean, which
     * says what is left out here; may contain placeholders. If it is empty, a policy for locks of this name applies, if
     * there is one.
     */
    String policy() default "";

    /**
     * Whether calls for the same lock exclude each other, as they do by default, or share it: {@code SHARED} calls run
     * beside each other, but never beside an exclusive one. A call that shares a lock can't make a nested call that
     * wants it alone; that fails with an {@link IllegalStateException}.
     */
    LockMode mode() default LockMode.EXCLUSIVE;

    /** What happens when another owner holds the lock for the whole wait time, and there is no {@link #handler()}. */
    OnRefusal onRefusal() default OnRefusal.THROW;

    /**
     * The name of a {@link LockRefusedHandler} bean that then answers instead of the method; may contain placeholders.
     */
    String handler() default "";

    /**
     * A SpEL expression like {@link #key()} that says whether a call needs the lock at all, for example {@code "#amount
     * > 100"}. Where it gives false, the method is called without one. What is neither true nor false fails the call.
     */
    String condition() default "";

    /**
     * Into how many independent segments the lock is cut, of which a call takes the one that {@link #segmentBy()}
     * chooses; from 2 to 1,000, or 1 for a lock that is not cut. Calls in different segments run at the same time, so
     * what they touch has to be cut in the same way. See {@link io.distributedlock.SegmentedLock}, which also looks for
     * a free segment.
     */
    int segments() default 1;

    /**
     * The value that chooses the segment, an expression like {@link #key()}: equal values belong to one segment, in
     * every process and version. In the method, {@link io.distributedlock.SegmentedLock#segmentOf} tells which.
     */
    String segmentBy() default "";
}
