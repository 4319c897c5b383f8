/** Child processes that use a peer as their orders say, and what they report. */
@NullMarked
package io.distributedlock.benchmarks.child;

import org.jspecify.annotations.NullMarked;
