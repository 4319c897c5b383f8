/** What callers observe: listeners, counters, and the threads on which their code runs. */
@NullMarked
package io.distributedlock.internal.event;

import org.jspecify.annotations.NullMarked;
