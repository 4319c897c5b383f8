/** What it brings that readers share a lock. */
@NullMarked
package io.distributedlock.benchmarks.readwrite;

import org.jspecify.annotations.NullMarked;
