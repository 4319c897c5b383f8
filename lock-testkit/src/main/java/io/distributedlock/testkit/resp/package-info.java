/** A minimal client of the Redis protocol. */
@NullMarked
package io.distributedlock.testkit.resp;

import org.jspecify.annotations.NullMarked;
