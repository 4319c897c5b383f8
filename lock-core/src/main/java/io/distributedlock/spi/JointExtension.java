package io.distributedlock.spi;

/** Leases that are extended together, again and again, for the same time from each call on. */
@FunctionalInterface
public interface JointExtension {

    /** Extends them once more; each has an answer of its own, as in {@link LockStore#extendAll}. */
    void extend(ExtensionAnswers answers);
}
