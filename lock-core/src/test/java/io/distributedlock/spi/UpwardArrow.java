package io.distributedlock.spi;

import io.distributedlock.LockClient;

/** What a store must not do: know the client. It is here so that a test sees that its rule finds such an arrow. */
public record UpwardArrow(LockClient client) {}
