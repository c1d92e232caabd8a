package dev.holdfast.postgresql;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.Unavailable;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request in the queue of a {@link Session}. */
interface Work {

    /** Answers the request without the server. */
    void unavailable(Unavailable why);

    /** A request that goes out together with others. */
    final class Lock<T> implements Work {

        final LockCall call;
        private final Function<@Nullable String[], T> parse;
        private final Function<Unavailable, T> orElse;
        private final BiConsumer<LockCall, Boolean> waits;
        final CompletableFuture<T> answer = new CompletableFuture<>();

        /**
         * Creates a request.
         *
         * @param waits notified, before the answer is passed on, of whether the request's owner now waits in the queue of the lock
         */
        Lock(
                LockCall call,
                Function<@Nullable String[], T> parse,
                Function<Unavailable, T> orElse,
                BiConsumer<LockCall, Boolean> waits) {
            this.call = call;
            this.parse = parse;
            this.orElse = orElse;
            this.waits = waits;
        }

        void answer(@Nullable String[] row) {
            T parsed = parse.apply(row);
            waits.accept(call, parsed instanceof AcquireAnswer.Queued);
            answer.complete(parsed);
        }

        @Override
        public void unavailable(Unavailable why) {
            answer.complete(orElse.apply(why));
        }
    }

    /** A step that has the connection to itself. */
    @FunctionalInterface
    interface Query<T> {
        T ask(Link link) throws SQLException;
    }

    /** A request that goes out alone. */
    final class Single<T> implements Work {

        private final Query<? extends T> query;
        private final Function<Unavailable, T> orElse;
        final CompletableFuture<T> answer = new CompletableFuture<>();

        Single(Query<? extends T> query, Function<Unavailable, T> orElse) {
            this.query = query;
            this.orElse = orElse;
        }

        void ask(Link link) throws SQLException {
            answer.complete(query.ask(link));
        }

        @Override
        public void unavailable(Unavailable why) {
            answer.complete(orElse.apply(why));
        }
    }
}
