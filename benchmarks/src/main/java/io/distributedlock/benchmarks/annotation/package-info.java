/** What a call costs more because its lock is asked for by an annotation. */
@NullMarked
package io.distributedlock.benchmarks.annotation;

import org.jspecify.annotations.NullMarked;
