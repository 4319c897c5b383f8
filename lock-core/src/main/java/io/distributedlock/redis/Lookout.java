package io.distributedlock.redis;

/** Looks for another server while one that carries locks is in trouble. */
interface Lookout extends AutoCloseable {

    /** A connection that carried locks has ended, or its server does not answer in time; told again with each such connection. */
    void troubled();

    /** A server that did not answer in time has answered. */
    void relieved();

    @Override
    void close();
}
