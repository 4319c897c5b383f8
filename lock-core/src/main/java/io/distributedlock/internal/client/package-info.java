/** Wires one lock client, and adapts it to several keys and to java.util.concurrent. */
@NullMarked
package io.distributedlock.internal.client;

import org.jspecify.annotations.NullMarked;
