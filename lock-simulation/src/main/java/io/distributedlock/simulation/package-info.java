/**
 * Lock clients, their network and Redis on one thread and one clock: all that chance decides comes from one seed, so a
 * run that breaks a promise can be repeated step by step, and made shorter.
 */
@NullMarked
package io.distributedlock.simulation;

import org.jspecify.annotations.NullMarked;
