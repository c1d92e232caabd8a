package dev.holdfast.redis.connection;

import dev.holdfast.redis.script.ReleaseCall;
import dev.holdfast.redis.script.Reply;
import dev.holdfast.redis.script.ScriptCall;
import dev.holdfast.redis.script.ScriptOutput;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * One run of a script: the command that Lettuce sends and completes, and the future of the node's answer, in one object. It completes normally, with the
 * node's answer or with the reason why there is none.
 *
 * @param <A> the kind of answer
 */
public final class ScriptCommand<A> extends CompletableFuture<A> implements RedisCommand<String, String, Object> {

    private static final String FORGOTTEN = "NOSCRIPT";

    private final Link link;
    private final ScriptCall<A> call;
    private final UnaryOperator<A> check;
    private final boolean byName;
    private final Command<String, String, Object> command;

    /**
     * Creates a command that is not sent yet.
     *
     * @param check makes the final decision on an answer of the script, on the thread that receives it
     */
    public ScriptCommand(Link link, ScriptCall<A> call, UnaryOperator<A> check) {
        this(link, call, check, true);
    }

    private ScriptCommand(Link link, ScriptCall<A> call, UnaryOperator<A> check, boolean byName) {
        this.link = link;
        this.call = call;
        this.check = check;
        this.byName = byName;
        this.command = new Command<>(
                byName ? CommandType.EVALSHA : CommandType.EVAL, new ScriptOutput(), call.commandArgs(byName));
    }

    @Override
    public void encode(ByteBuf buffer) {
        command.encode(buffer);
    }

    String resource() {
        return call.resource();
    }

    ScriptCall<A> call() {
        return call;
    }

    @Override
    public void complete() {
        String error = command.getError();
        if (error == null) {
            answered((Reply) command.getOutput().get());
        } else if (byName && error.startsWith(FORGOTTEN)) {
            link.sendNow(new ScriptCommand<>(link, call, check, false)).thenAccept(this::answer);
        } else {
            ServerProblem problem = ServerProblem.of(new RedisCommandExecutionException(error));
            if (call instanceof ReleaseCall) { // other answers carry the reason to the caller
                problem.missingRight().ifPresent(link::lacksRight);
            }
            answer(call.unavailable(problem.unavailable()));
        }
    }

    /** Completes the command with the script's answer. */
    void answered(Reply reply) {
        A answer;
        try {
            ScriptCall<A> instead = call.instead(reply, link.aloneLocks());
            if (instead != null) {
                ScriptCommand<A> asked = link.sendNow(new ScriptCommand<>(link, instead, check));
                call.removeFrom(link.aloneLocks()); // the connection keeps the order from here on
                asked.thenAccept(this::answer);
                return;
            }
            answer = check.apply(call.answer(reply));
        } catch (RuntimeException | Error e) { // a malformed answer, or a check that fails
            completeExceptionally(e);
            return;
        }
        answer(answer);
    }

    private boolean answer(A answer) {
        boolean first = complete(answer);
        if (first) {
            link.answered();
            call.removeFrom(link.aloneLocks());
        }
        return first;
    }

    /** Completes the command without an answer, as Lettuce reports it. */
    @Override
    public boolean completeExceptionally(Throwable thrown) {
        return answer(call.unavailable(ServerProblem.of(thrown).unavailable()));
    }

    /** Cancels the command because the connection has ended. */
    @Override
    public void cancel() {
        completeExceptionally(new CancellationException());
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        cancel();
        return false;
    }

    @Override
    public CommandArgs<String, String> getArgs() {
        return command.getArgs();
    }

    @Override
    public ProtocolKeyword getType() {
        return command.getType();
    }

    @Override
    public CommandOutput<String, String, Object> getOutput() {
        return command.getOutput();
    }

    @Override
    public void setOutput(CommandOutput<String, String, Object> output) {
        command.setOutput(output);
    }

    @Override
    public String toString() {
        return call.script() + " " + call.resource();
    }
}
