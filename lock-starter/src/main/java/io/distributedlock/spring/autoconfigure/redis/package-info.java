/** Where the Redis of the locks is, and with which credentials: from the application's settings, or from our own. */
@NullMarked
package io.distributedlock.spring.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
