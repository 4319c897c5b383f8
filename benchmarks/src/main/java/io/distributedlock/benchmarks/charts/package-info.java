/** Pictures of what a program measured. */
@NullMarked
package io.distributedlock.benchmarks.charts;

import org.jspecify.annotations.NullMarked;
