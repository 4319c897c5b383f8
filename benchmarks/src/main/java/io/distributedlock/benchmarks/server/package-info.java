/** What Redis itself says about its work. */
@NullMarked
package io.distributedlock.benchmarks.server;

import org.jspecify.annotations.NullMarked;
