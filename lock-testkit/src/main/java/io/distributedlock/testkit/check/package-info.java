/** The invariants that histories are checked against, one class each. */
@NullMarked
package io.distributedlock.testkit.check;

import org.jspecify.annotations.NullMarked;
