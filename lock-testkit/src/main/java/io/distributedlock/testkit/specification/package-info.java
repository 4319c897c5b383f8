/** What a lock is, as rules that can be executed, and the decision whether a recorded history follows them. */
@NullMarked
package io.distributedlock.testkit.specification;

import org.jspecify.annotations.NullMarked;
