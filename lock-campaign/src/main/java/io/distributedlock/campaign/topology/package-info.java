/** The same run on each kind of store: memory, cluster, sentinels, quorum. */
@NullMarked
package io.distributedlock.campaign.topology;

import org.jspecify.annotations.NullMarked;
