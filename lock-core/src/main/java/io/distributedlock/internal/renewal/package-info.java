/** Renewal of leases, in batches, and the detection of holders that are stuck or gone. */
@NullMarked
package io.distributedlock.internal.renewal;

import org.jspecify.annotations.NullMarked;
