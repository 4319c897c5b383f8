/** Messages of the servers to this process. */
@NullMarked
package io.distributedlock.redis.pubsub;

import org.jspecify.annotations.NullMarked;
