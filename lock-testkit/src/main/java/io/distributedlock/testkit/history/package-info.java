/** Recorded histories of lock use under faults, and the invariants they are checked against. */
@NullMarked
package io.distributedlock.testkit.history;

import org.jspecify.annotations.NullMarked;
