/**
 * {@link io.distributedlock.spring.DistributedLock @DistributedLock} and what makes it work on the methods of Spring
 * beans.
 */
@NullMarked
package io.distributedlock.spring;

import org.jspecify.annotations.NullMarked;
