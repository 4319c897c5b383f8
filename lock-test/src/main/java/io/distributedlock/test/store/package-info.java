/**
 * For authors of a {@link io.distributedlock.spi.LockStore}: the contract as tests to extend, which need JUnit, AssertJ
 * and Awaitility, and a store that forwards to another one.
 */
@NullMarked
package io.distributedlock.test.store;

import org.jspecify.annotations.NullMarked;
