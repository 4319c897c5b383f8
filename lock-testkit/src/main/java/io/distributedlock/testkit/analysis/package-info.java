/** What a recorded history says: calls, holds and windows of time, derived from its events. */
@NullMarked
package io.distributedlock.testkit.analysis;

import org.jspecify.annotations.NullMarked;
