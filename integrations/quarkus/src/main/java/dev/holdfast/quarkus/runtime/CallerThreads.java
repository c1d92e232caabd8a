package dev.holdfast.quarkus.runtime;

import io.quarkus.runtime.BlockingOperationControl;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The threads on which a method runs that waited for its lock without blocking: those of its caller. */
final class CallerThreads {

    private static final boolean HAS_VERTX = hasVertx();

    private CallerThreads() {}

    private static boolean hasVertx() {
        try {
            Class.forName("io.vertx.core.Vertx", false, CallerThreads.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns an executor that continues on the event loop or the worker threads of the calling thread, in its Vert.x context. */
    static Executor executor() {
        Executor ofVertx = HAS_VERTX ? OfVertx.executor() : null;
        return ofVertx == null ? Infrastructure.getDefaultExecutor() : ofVertx;
    }

    /** Loaded only if the application has Vert.x. */
    private static final class OfVertx {

        private OfVertx() {}

        static @Nullable Executor executor() {
            Context context = Vertx.currentContext();
            if (context == null) {
                return null;
            }
            return BlockingOperationControl.isBlockingAllowed()
                    ? command -> context.executeBlocking(
                            () -> {
                                command.run();
                                return Boolean.TRUE;
                            },
                            false)
                    : command -> context.runOnContext(nothing -> command.run());
        }
    }
}
