/** Relays between client and server that hold, delay, cut or rewrite traffic. */
@NullMarked
package io.distributedlock.testkit.relay;

import org.jspecify.annotations.NullMarked;
