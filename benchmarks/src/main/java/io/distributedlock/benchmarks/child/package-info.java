/** Child processes that use a peer as they are told, and what they report. */
@NullMarked
package io.distributedlock.benchmarks.child;

import org.jspecify.annotations.NullMarked;
