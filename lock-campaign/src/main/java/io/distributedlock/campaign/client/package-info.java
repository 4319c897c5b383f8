/** Clients under test and the observers around their stores. */
@NullMarked
package io.distributedlock.campaign.client;

import org.jspecify.annotations.NullMarked;
