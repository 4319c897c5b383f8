/** Planted mistakes of the protocol, each with the scenario in which a check has to find it. */
@NullMarked
package io.distributedlock.campaign.mutant;

import org.jspecify.annotations.NullMarked;
