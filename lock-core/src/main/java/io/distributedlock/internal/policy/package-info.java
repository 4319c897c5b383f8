/** Which lease a request gets: defaults, policies by lock name, and the adaptive ttl. */
@NullMarked
package io.distributedlock.internal.policy;

import org.jspecify.annotations.NullMarked;
