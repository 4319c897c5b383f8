package com.example.shop.web;

import io.distributedlock.LockException;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockUnavailableException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What a client is told when a request did not get its lock, or lost it: a problem+json with the name of the lock in {@code lock}. */
@RestControllerAdvice
class LockProblems {

    private static final String RETRY_AFTER_SECONDS = "2";

    /** Somebody else is at it: the client may try again when that is done. */
    @ExceptionHandler
    ProblemDetail held(LockNotAcquiredException e) {
        return problem(HttpStatus.CONFLICT, e, "Another request holds the lock '%s'. Try again when it is done.");
    }

    /** Redis is away, or the shop is shutting down: the work under the lock did not begin. */
    @ExceptionHandler({LockUnavailableException.class, LockInterruptedException.class})
    ResponseEntity<ProblemDetail> unavailable(LockException e) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .body(problem(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        e,
                        "The lock '%s' can't be taken at present. Try again later."));
    }

    /** The work may have been done, or not, or at the same time as somebody else's: the client has to look. */
    @ExceptionHandler
    ProblemDetail lost(LockLostException e) {
        return problem(
                HttpStatus.INTERNAL_SERVER_ERROR,
                e,
                "The lock '%s' was lost on the way. Look whether the work was done before you try again.");
    }

    private static ProblemDetail problem(HttpStatus status, LockException e, String detail) {
        String lock = e.lockName() + ":" + e.lockKey();
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail.formatted(lock));
        problem.setProperty("lock", lock);
        return problem;
    }
}
