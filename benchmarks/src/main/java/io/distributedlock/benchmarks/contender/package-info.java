/** The libraries that are compared, each behind the same few calls. */
@NullMarked
package io.distributedlock.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
