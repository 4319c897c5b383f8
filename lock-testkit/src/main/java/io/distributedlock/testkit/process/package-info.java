/** Child JVMs, signals, ports and what else tests need of the operating system. */
@NullMarked
package io.distributedlock.testkit.process;

import org.jspecify.annotations.NullMarked;
