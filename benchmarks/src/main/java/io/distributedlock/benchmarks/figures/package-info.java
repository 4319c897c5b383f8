/** Figures: how they are summed up over rounds and threads, and how they are printed. */
@NullMarked
package io.distributedlock.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
