package dev.holdfast.spring.aspect;

import static dev.holdfast.spring.boot.Contexts.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastAdmin;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedJob;
import dev.holdfast.spring.LockedMethodException;
import dev.holdfast.spring.boot.Contexts;
import java.util.List;
import java.util.ListIterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Mono;

/** Results that stand for work after the method has returned, when its lock is free again. */
class DeferredResultsTest {

    static class LaterCall {
        @Locked("x")
        public @Nullable Callable<String> work() {
            return null;
        }
    }

    static class LaterValue {
        @Locked("x")
        public @Nullable Supplier<String> work() {
            return null;
        }
    }

    static class LaterFunction {
        @LockedJob(name = "x", atMost = "1m", atLeast = "1s")
        public @Nullable IntFunction<String> work() {
            return null;
        }
    }

    static class LaterRun {
        @Locked("x")
        public @Nullable Runnable work() {
            return null;
        }
    }

    static class LazyIterator {
        @Locked("x")
        public @Nullable ListIterator<String> work() {
            return null;
        }
    }

    static class LaterResponse {
        @Locked("x")
        public @Nullable DeferredResult<String> work() {
            return null;
        }
    }

    static class LaterTask {
        @Locked("x")
        public @Nullable WebAsyncTask<String> work() {
            return null;
        }
    }

    static class LaterEvents {
        @Locked("x")
        public @Nullable SseEmitter work() {
            return null;
        }
    }

    static class LaterBody {
        @Locked("x")
        public @Nullable ResponseEntity<StreamingResponseBody> work() {
            return null;
        }
    }

    static class LaterMono {
        @Locked("x")
        public @Nullable ResponseEntity<Mono<String>> work() {
            return null;
        }
    }

    static Object[][] deferred() {
        return new Object[][] {
            {
                LaterCall.class,
                "LaterCall.work() returns a java.util.concurrent.Callable<java.lang.String>, so its work may run"
            },
            {LaterValue.class, "returns a java.util.function.Supplier"},
            {LaterFunction.class, "@LockedJob method LaterFunction.work() returns a java.util.function.IntFunction"},
            {LaterRun.class, "returns a java.lang.Runnable"},
            {LazyIterator.class, "returns a java.util.ListIterator"},
            {LaterResponse.class, "returns a org.springframework.web.context.request.async.DeferredResult"},
            {LaterTask.class, "returns a org.springframework.web.context.request.async.WebAsyncTask"},
            {LaterEvents.class, "returns a org.springframework.web.servlet.mvc.method.annotation.SseEmitter"},
            {
                LaterBody.class,
                "returns a org.springframework.http.ResponseEntity<"
                        + "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody>, so its work"
            },
            {LaterMono.class, "returns a org.springframework.http.ResponseEntity<reactor.core.publisher.Mono"},
        };
    }

    @ParameterizedTest
    @MethodSource("deferred")
    void endTheStart(Class<?> bean, String message) {
        Contexts.inMemory().withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(analysis(context.getStartupFailure()).getDescription())
                    .contains(bean.getSimpleName() + ".work() ")
                    .contains(message);
        });
    }

    /** A complete result that is a function too, as the pages of Spring Data are. */
    record Page(List<String> content) implements Supplier<Stream<String>> {
        @Override
        public Stream<String> get() {
            return content.stream();
        }
    }

    static class CompleteResults {
        @Locked("x")
        public Page page() {
            return new Page(List.of());
        }

        @Locked("x")
        public ResponseEntity<List<String>> response() {
            return ResponseEntity.ok(List.of());
        }
    }

    @Test
    void completeResultsAreAccepted() {
        Contexts.inMemory().withBean(CompleteResults.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(CompleteResults.class).page().content()).isEmpty();
            assertThat(context.getBean(CompleteResults.class).response().getBody())
                    .isEmpty();
        });
    }

    static class AnyResult {
        @Locked("any")
        public <T> T within(Supplier<T> work) {
            return work.get();
        }
    }

    @Test
    void aResultWhoseDeclaredTypeHidesThatItIsDeferredHoldsTheLockOrFails() {
        Contexts.inMemory().withBean(AnyResult.class).run(context -> {
            AnyResult any = context.getBean(AnyResult.class);
            HoldfastAdmin nodes = context.getBean(Holdfast.class).admin();
            CompletableFuture<String> work = new CompletableFuture<>();

            CompletableFuture<String> result = any.within(() -> work);

            assertThat(nodes.status("any").holders()).hasSize(1);
            work.complete("done");
            assertThat(result.get()).isEqualTo("done");
            assertThat(nodes.status("any").holders()).isEmpty();
            assertThat(any.within(() -> "complete")).isEqualTo("complete");
            assertThatThrownBy(() -> any.within(() -> Mono.just("later")))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining(
                            "@Locked method AnyResult.within(Supplier) returned a reactor.core.publisher.MonoJust");
            assertThat(nodes.status("any").holders()).isEmpty();
        });
    }
}
