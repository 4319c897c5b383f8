/** Single Redis servers, their start and end, and replication between them. */
@NullMarked
package io.distributedlock.testkit.server;

import org.jspecify.annotations.NullMarked;
