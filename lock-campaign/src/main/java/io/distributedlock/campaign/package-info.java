/**
 * Many lock cycles under many faults, checked as one history; and mutants of the protocol that show that the check
 * would see a mistake.
 */
@NullMarked
package io.distributedlock.campaign;

import org.jspecify.annotations.NullMarked;
