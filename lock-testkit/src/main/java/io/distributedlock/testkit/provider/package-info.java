/** What providers of Redis refuse or do differently, enforced between a client and a real server. */
@NullMarked
package io.distributedlock.testkit.provider;

import org.jspecify.annotations.NullMarked;
