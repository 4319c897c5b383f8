package io.distributedlock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Several {@link DistributedLock} annotations on one method or class, from the outermost lock to the innermost. Java
 * writes it by itself.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Reflective
public @interface DistributedLocks {

    /** The annotations, in the order in which they stand. */
    DistributedLock[] value();
}
