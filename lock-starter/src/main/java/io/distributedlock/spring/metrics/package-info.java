/** What happens to locks, as meters and observations of Micrometer. */
@NullMarked
package io.distributedlock.spring.metrics;

import org.jspecify.annotations.NullMarked;
