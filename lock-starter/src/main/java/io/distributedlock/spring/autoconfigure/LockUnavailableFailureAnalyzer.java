package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockUnavailableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because a lock was needed during it and Redis could not be asked. */
@Order(0)
final class LockUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<LockUnavailableException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockUnavailableException cause) {
        return new FailureAnalysis(
                "A lock was needed during the start. " + cause.getMessage() + ".", advice(cause), cause);
    }

    private static String advice(LockUnavailableException cause) {
        return switch (cause.outcome()) {
            case UNAVAILABLE ->
                "Start Redis, or correct its address and credentials in spring.data.redis.* (host, port, username,"
                        + " password, url, ssl),"
                        + " or those of its nodes in distributed-lock.quorum.urls."
                        + " An application that runs as a single process can do without:"
                        + " distributed-lock.store=memory.";
            case OVERLOADED -> "Let fewer callers wait for this lock at a time, or raise the limit of waiting callers.";
            case UNKNOWN ->
                "Check that the Redis of spring.data.redis.* is healthy and not overloaded. If it is only slow to"
                        + " reach, raise"
                        + " distributed-lock.redis.command-timeout, which may be up to a third of"
                        + " distributed-lock.ttl.";
            case CLOSED -> "Take no locks after the application context was stopped or closed.";
        };
    }
}
