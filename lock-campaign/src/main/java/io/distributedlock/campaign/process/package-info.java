/** Where workers run: threads of this JVM or child JVMs. */
@NullMarked
package io.distributedlock.campaign.process;

import org.jspecify.annotations.NullMarked;
