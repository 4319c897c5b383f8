package io.distributedlock.spring.web;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockException;
import io.distributedlock.LockHolder;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.spring.IdentityDetail;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers web requests that failed because of a lock with a problem detail (RFC 9457), in Spring MVC and WebFlux: 409
 * if another owner holds the lock, 503 if the lock store gives no answer, 500 if the lock was lost while the work ran.
 * The body has the name of the lock, also as {@code lock}, and never its key, which may be user data. A 409 says in
 * {@code leaseEndsInMillis} when the lock is free at the latest unless its lease is renewed, and, as far as that is
 * known and allowed, in {@code holder} who holds it and in {@code heldForMillis} for how long at most.
 *
 * <p>The application's own handlers come first.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class LockExceptionHandler {

    private static final Log LOG = LogFactory.getLog(LockExceptionHandler.class);
    private static final String RETRY_SECONDS = "1";

    private final IdentityDetail shown;

    /** @param shown how much an answer says about the holder */
    public LockExceptionHandler(IdentityDetail shown) {
        this.shown = shown;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> isHeld(LockNotAcquiredException refused) {
        LOG.debug(refused.getMessage());
        ResponseEntity<ProblemDetail> answer =
                answer(HttpStatus.CONFLICT, refused, "Another request holds the lock '%s'. Try again later.");
        ProblemDetail problem = answer.getBody();
        if (problem != null) {
            problem.setProperty("leaseEndsInMillis", refused.holderLeaseEndsIn().toMillis());
            refused.holder().ifPresent(holder -> describe(holder, problem));
        }
        return answer;
    }

    private void describe(LockHolder holder, ProblemDetail problem) {
        ClientIdentity known = holder.identity();
        if (shown == IdentityDetail.NONE) {
            return;
        }
        if (known != null) {
            problem.setProperty("holder", shown == IdentityDetail.FULL ? known.toString() : known.application());
        }
        if (holder.age() != null) {
            problem.setProperty("heldForMillis", holder.age().toMillis());
        }
        if (holder.silence() != null) {
            problem.setProperty("silentForMillis", holder.silence().toMillis());
        }
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> isUnavailable(LockUnavailableException failure) {
        return unavailable(failure);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> isInterrupted(LockInterruptedException failure) {
        return unavailable(failure);
    }

    private static ResponseEntity<ProblemDetail> unavailable(LockException failure) {
        LOG.warn(failure.getMessage());
        return answer(
                HttpStatus.SERVICE_UNAVAILABLE,
                failure,
                "The lock '%s' cannot be acquired at the moment; nothing was done. Try again later.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> isLost(LockLostException lost) {
        LOG.error(lost.getMessage(), lost);
        return answer(
                HttpStatus.INTERNAL_SERVER_ERROR,
                lost,
                "The lock '%s' was lost while the request was processed. Check what was done before you try again.");
    }

    private static ResponseEntity<ProblemDetail> answer(HttpStatus status, LockException failure, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail.formatted(failure.lockName()));
        problem.setProperty("lock", failure.lockName());
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        return (status == HttpStatus.SERVICE_UNAVAILABLE
                        ? answer.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                        : answer)
                .body(problem);
    }
}
