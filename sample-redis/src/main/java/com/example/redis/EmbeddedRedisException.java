package com.example.redis;

/** The embedded Redis did not start. */
class EmbeddedRedisException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EmbeddedRedisException(String message) {
        super(message);
    }

    EmbeddedRedisException(String message, Throwable cause) {
        super(message, cause);
    }
}
