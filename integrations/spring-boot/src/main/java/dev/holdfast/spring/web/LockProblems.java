package dev.holdfast.spring.web;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockSealedException;
import dev.holdfast.lock.LockTimeoutException;
import dev.holdfast.lock.NoQuorumException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * The mapping of lock exceptions to HTTP responses: 409 if another client holds the lock or its work is done, 503 if too few nodes answer or the lease
 * was lost. The body is a problem detail (RFC 9457). It names neither the lock nor its holder, which the log does. An application's own exception
 * handlers take precedence.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class LockProblems {

    private static final Log LOG = LogFactory.getLog(LockProblems.class);
    private static final String SOON = "1";

    /** Maps a lock that was not acquired in time. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> held(LockTimeoutException e) {
        return response(HttpStatus.CONFLICT, "Another request is in progress", e, true);
    }

    /** Maps a lock whose work is done. The work counts as done until the seal ends, so the response does not suggest a retry. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> sealed(LockSealedException e) {
        return response(HttpStatus.CONFLICT, "The request was carried out before", e, false);
    }

    /** Maps a majority that does not answer. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> noQuorum(NoQuorumException e) {
        return response(HttpStatus.SERVICE_UNAVAILABLE, "No lock can be acquired now", e, true);
    }

    /** Maps a lease that was lost during the request, whose effects the caller must check before it tries again. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> lost(LeaseLostException e) {
        return response(HttpStatus.SERVICE_UNAVAILABLE, "The lock was lost during the request", e, false);
    }

    private static ResponseEntity<ProblemDetail> response(
            HttpStatus status, String detail, HoldfastException e, boolean again) {
        LOG.warn(status.value() + ": " + e.getMessage());
        ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
        if (again) {
            response.header(HttpHeaders.RETRY_AFTER, SOON);
        }
        return response.body(ProblemDetail.forStatusAndDetail(status, detail));
    }
}
