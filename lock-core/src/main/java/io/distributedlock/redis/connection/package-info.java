/** Connections of the driver: what a broken one may still execute, and how one to a silent server ends. */
@NullMarked
package io.distributedlock.redis.connection;

import org.jspecify.annotations.NullMarked;
