package dev.holdfast.sample.orders;

import dev.holdfast.fence.StaleTokenException;
import dev.holdfast.lock.HoldfastException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What callers are told when it does not work. Before Spring's own, which would say less of a wrong body. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems {

    /** No majority of lock nodes, nobody let go in time, the lock was lost: nothing was changed, so the same may be asked again. */
    @ExceptionHandler
    ProblemDetail notNow(HoldfastException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
    }

    /** The database has seen a newer token: this instance stood still, and another has gone on. */
    @ExceptionHandler
    ProblemDetail tooLate(StaleTokenException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(e.getMessage()));
    }

    @ExceptionHandler
    ProblemDetail wrongArgument(IllegalArgumentException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }

    @ExceptionHandler
    ProblemDetail wrongBody(HttpMessageNotReadableException e) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
        return cause instanceof IllegalArgumentException wrong
                ? wrongArgument(wrong)
                : ProblemDetail.forStatusAndDetail(
                        HttpStatus.BAD_REQUEST, "the body is not the JSON that is wanted here");
    }
}
