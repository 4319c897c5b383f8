/** Faults of clients, links and servers, and the schedules that inject them. */
@NullMarked
package io.distributedlock.campaign.fault;

import org.jspecify.annotations.NullMarked;
