/** Locks and Spring's transactions: no commit without the lock, no release before the commit. */
@NullMarked
package io.distributedlock.spring.transaction;

import org.jspecify.annotations.NullMarked;
