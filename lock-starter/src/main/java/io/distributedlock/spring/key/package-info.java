/**
 * Expressions of the annotation: keys and conditions, parsed at the start and evaluated for each call. Not for
 * applications.
 */
@NullMarked
package io.distributedlock.spring.key;

import org.jspecify.annotations.NullMarked;
