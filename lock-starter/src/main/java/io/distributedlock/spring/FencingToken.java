package io.distributedlock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the {@code long} parameter of a {@link DistributedLock} method that is given the fencing token of the lock: a
 * number that is larger than that of every earlier holder. Whatever the caller passes in its place is ignored. The
 * lock's key can't use it.
 *
 * <p>Give it to what the lock protects, and let that refuse smaller ones: only so is the late write of a holder that
 * was paused harmless. Without {@code @DistributedLock} on the method, or in a call that does not pass through Spring's
 * proxy, it does nothing.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface FencingToken {}
