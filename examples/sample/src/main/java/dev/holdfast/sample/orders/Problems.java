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

/** The answers to failed requests. They take precedence over Spring's own, which say less about a wrong body. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems {

    /**
     * Answers that nothing was changed, so the caller may retry: no majority of lock nodes, a timeout, or a lost lock.
     */
    @ExceptionHandler
    ProblemDetail notNow(HoldfastException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
    }

    /** Answers that the database has seen a newer token: this instance was paused, and another has continued. */
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
                        HttpStatus.BAD_REQUEST, "the body is not the JSON that this request needs");
    }
}
