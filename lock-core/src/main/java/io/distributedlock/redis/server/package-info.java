/** What a server is, and what it accepts and refuses. */
@NullMarked
package io.distributedlock.redis.server;

import org.jspecify.annotations.NullMarked;
