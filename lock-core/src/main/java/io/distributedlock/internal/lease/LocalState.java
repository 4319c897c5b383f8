package io.distributedlock.internal.lease;

/** What a process has to remember of one lock: all who want it, or its lease alone while there is nobody but its holder. */
public interface LocalState {}
