/** Groups of servers: clusters and sets of servers that sentinels watch. */
@NullMarked
package io.distributedlock.testkit.topology;

import org.jspecify.annotations.NullMarked;
