/** A lease that this process holds: its terms, its handle, and its end by a release, a hand-over or a loss. */
@NullMarked
package io.distributedlock.internal.lease;

import org.jspecify.annotations.NullMarked;
