/** What every other room uses: the one place that blocks, durations, the texts of failures, the log. */
@NullMarked
package io.distributedlock.internal.support;

import org.jspecify.annotations.NullMarked;
