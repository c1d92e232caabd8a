package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.SelfDeadlockException;
import dev.holdfast.spring.web.LockProblems;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/** The HTTP responses for lock exceptions. */
class HttpTest {

    private static Exception refusal(Refusal.Reason reason) {
        return new Refusal("orders:42", reason, Duration.ofSeconds(1), List.of()).exception();
    }

    static Stream<Arguments> responses() {
        return Stream.of(
                Arguments.of(refusal(Refusal.Reason.HELD), 409, "1"),
                Arguments.of(refusal(Refusal.Reason.SEALED), 409, null),
                Arguments.of(refusal(Refusal.Reason.NO_QUORUM), 503, "1"),
                Arguments.of(new LeaseLostException("lease of 'orders:42' lost"), 503, null));
    }

    /** The test finds the handler of an exception and calls it as Spring does. */
    @ParameterizedTest
    @MethodSource("responses")
    void e25_aLockExceptionHasItsStatus(Exception failure, int status, @Nullable String retryAfter) {
        ExceptionHandlerMethodResolver handlers = new ExceptionHandlerMethodResolver(LockProblems.class);
        ResponseEntity<?> response = (ResponseEntity<?>) Objects.requireNonNull(ReflectionUtils.invokeMethod(
                Objects.requireNonNull(handlers.resolveMethod(failure)), new LockProblems(), failure));

        assertThat(response.getStatusCode().value()).isEqualTo(status);
        assertThat(response.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo(retryAfter);
        assertThat(response.getBody())
                .isInstanceOfSatisfying(
                        ProblemDetail.class,
                        problem -> assertThat(problem.getDetail()).isNotBlank().doesNotContain("orders:42"));
    }

    @Test
    void aMistakeOfTheProgramIsNotMapped() {
        assertThat(new ExceptionHandlerMethodResolver(LockProblems.class).resolveMethod(new SelfDeadlockException("x")))
                .isNull();
    }

    @Test
    void e25_theMappingIsThereIfTheApplicationAsksForIt() {
        ApplicationContextRunner application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HoldfastWebAutoConfiguration.class));
        application.run(context -> assertThat(context).doesNotHaveBean(LockProblems.class));
        application
                .withPropertyValues("holdfast.web.problem-details=true")
                .run(context -> assertThat(context).hasSingleBean(LockProblems.class));
        application
                .withPropertyValues("holdfast.web.problem-details=true")
                .withClassLoader(new FilteredClassLoader("org.springframework.web"))
                .run(context -> assertThat(context).hasNotFailed());
    }
}
