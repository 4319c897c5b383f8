package com.example.shop.embedded;

import org.jspecify.annotations.Nullable;

/** The shop could not start a Redis of its own. */
class EmbeddedRedisException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EmbeddedRedisException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
