/** All locks of a Redis, as people see them who look into an incident. */
@NullMarked
package io.distributedlock.redis.listing;

import org.jspecify.annotations.NullMarked;
