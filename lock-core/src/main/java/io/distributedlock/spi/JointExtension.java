package io.distributedlock.spi;

/** Leases that are extended together, again and again, for the same time from each call on. */
@FunctionalInterface
public interface JointExtension {

    /** Extends them once more. Each answer is delivered once, on any thread, be it before this method returns. */
    void extend(ExtensionAnswers answers);
}
