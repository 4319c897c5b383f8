/** Workers, the mixes of operations they draw from, and the state their locks guard. */
@NullMarked
package io.distributedlock.campaign.workload;

import org.jspecify.annotations.NullMarked;
