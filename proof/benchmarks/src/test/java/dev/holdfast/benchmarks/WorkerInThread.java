package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Clients;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import dev.holdfast.benchmarks.world.Worker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A worker of this JVM, so that a test need not start dozens. It cannot crash: when killed, it releases its locks. */
final class WorkerInThread implements Worker {

    private final Clients clients;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private Future<String> answer = CompletableFuture.completedFuture("");
    private boolean closed;

    WorkerInThread(Side side, ClientOptions options, List<String> nodes) {
        clients = new Clients(side, options, nodes);
    }

    /** Over the lines of text that processes exchange. */
    @Override
    public void tell(Order order) {
        String line = order.line();
        answer = thread.submit(() -> Task.run(Order.of(line), clients).line());
    }

    @Override
    public Answer answer() {
        try {
            return Answer.of(answer.get());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void kill() {
        close();
    }

    @Override
    public void end() {}

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            clients.close();
            thread.shutdown();
        }
    }
}
