package io.distributedlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Sets up locks in a test of a slice, such as {@code @WebMvcTest}, which leaves them out: locked methods of its beans
 * run under their lock, kept in the memory of the test's process. Needs the Spring Boot starter on the class path.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
@TestPropertySource(properties = "distributed-lock.store=memory")
public @interface AutoConfigureDistributedLock {}
