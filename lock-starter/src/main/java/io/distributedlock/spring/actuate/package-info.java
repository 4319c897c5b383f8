/** Locks as Spring Boot's actuator shows them. */
@NullMarked
package io.distributedlock.spring.actuate;

import org.jspecify.annotations.NullMarked;
