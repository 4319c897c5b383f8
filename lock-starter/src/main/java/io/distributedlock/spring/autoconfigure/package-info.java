/**
 * Spring Boot's wiring of the lock client, its store and the annotation, from {@code distributed-lock.*} properties.
 */
@NullMarked
package io.distributedlock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
