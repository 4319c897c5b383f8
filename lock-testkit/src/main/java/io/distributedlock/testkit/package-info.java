/**
 * Real Redis servers, relays that disturb their traffic, child JVMs and other tools for tests of locks under faults.
 */
@NullMarked
package io.distributedlock.testkit;

import org.jspecify.annotations.NullMarked;
