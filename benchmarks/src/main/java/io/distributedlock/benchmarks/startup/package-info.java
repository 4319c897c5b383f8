/** How much longer an application needs to start because of the starter. */
@NullMarked
package io.distributedlock.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
