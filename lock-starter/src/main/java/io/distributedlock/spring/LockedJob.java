package io.distributedlock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a {@code @Scheduled} method on one of many servers: {@code @LockedJob(name = "nightly", minHold = "5m")}.
 *
 * <p>The name is the lock. A server that finds it held skips the job and does not wait, which is what
 * {@link DistributedLock} does with {@code waitTime = "0"} and {@code onRefusal = OnRefusal.SKIP}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@DistributedLock(waitTime = "0", onRefusal = OnRefusal.SKIP)
public @interface LockedJob {

    /** The lock of the job; may contain placeholders. */
    @AliasFor(annotation = DistributedLock.class)
    String name();

    /**
     * For how long after its start no other server starts the job, even if it is shorter: longer than the clocks of
     * the servers can differ.
     */
    @AliasFor(annotation = DistributedLock.class)
    String minHold() default "";

    /** How long the lock is held at most, without renewal. If it is empty, the lock is renewed until the job ends. */
    @AliasFor(annotation = DistributedLock.class)
    String ttl() default "";

    /** How long a renewed lock is held at most. */
    @AliasFor(annotation = DistributedLock.class)
    String maxHold() default "";

    /** The lock policy that decides what is left out here. */
    @AliasFor(annotation = DistributedLock.class)
    String policy() default "";
}
