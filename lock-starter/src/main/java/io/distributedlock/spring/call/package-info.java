/**
 * Calls of annotated methods: the advice, and how each kind of result keeps its lock until it has ended. Not for
 * applications.
 */
@NullMarked
package io.distributedlock.spring.call;

import org.jspecify.annotations.NullMarked;
