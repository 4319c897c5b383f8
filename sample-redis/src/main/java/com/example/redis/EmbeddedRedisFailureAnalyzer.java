package com.example.redis;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Turns a missing embedded Redis into advice instead of a stack trace. */
class EmbeddedRedisFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedRedisException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedRedisException cause) {
        return new FailureAnalysis(
                "No Redis is configured, and the application could not start one of its own: " + cause.getMessage(),
                "Start a Redis and set spring.data.redis.url, for example to redis://127.0.0.1:6379",
                cause);
    }
}
