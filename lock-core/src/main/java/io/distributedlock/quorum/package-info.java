/** Locks kept by a majority of independent stores. */
@NullMarked
package io.distributedlock.quorum;

import org.jspecify.annotations.NullMarked;
