/** Locks whose trouble is made on purpose, for the tests of applications. */
@NullMarked
package io.distributedlock.test;

import org.jspecify.annotations.NullMarked;
