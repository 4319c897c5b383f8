package io.distributedlock.spring;

import org.jspecify.annotations.Nullable;

/** A setting of locks that can't work: an annotation, a property or a bean. It stops the start of the application. */
public final class LockConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String advice;

    public LockConfigurationException(String problem, String advice, @Nullable Throwable cause) {
        super(problem + ". " + advice, cause);
        this.problem = problem;
        this.advice = advice;
    }

    public LockConfigurationException(String problem, String advice) {
        this(problem, advice, null);
    }

    /** What is wrong and where. */
    public String problem() {
        return problem;
    }

    /** What to do about it. */
    public String advice() {
        return advice;
    }
}
