/** Programs that hold the locks of this project against other libraries, and how they print what they found. */
@NullMarked
package io.distributedlock.benchmarks;

import org.jspecify.annotations.NullMarked;
