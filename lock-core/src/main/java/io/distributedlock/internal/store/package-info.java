/** Calls of a store with a deadline, and the clean-up of claims whose outcome is unknown. */
@NullMarked
package io.distributedlock.internal.store;

import org.jspecify.annotations.NullMarked;
