/** Locks in Redis, over Lettuce. */
@NullMarked
package io.distributedlock.redis;

import org.jspecify.annotations.NullMarked;
