/** Locks for Reactor: the same client, its calls as publishers. */
@NullMarked
package io.distributedlock.reactive;

import org.jspecify.annotations.NullMarked;
