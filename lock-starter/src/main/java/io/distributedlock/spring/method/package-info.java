/**
 * What the annotation needs to know of a method: its result, its parameters, its fencing token. Not for applications.
 */
@NullMarked
package io.distributedlock.spring.method;

import org.jspecify.annotations.NullMarked;
