/** From a request to a grant: the local queue, the attempts at the store, and the deadline of the call. */
@NullMarked
package io.distributedlock.internal.acquire;

import org.jspecify.annotations.NullMarked;
