package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.message.Answer;
import java.util.concurrent.CompletionStage;

/** The action of a {@link Route}. It never blocks. */
@FunctionalInterface
public interface Action {

    /** Executes a request. The answer may come later, or be a {@link dev.holdfast.server.message.Problem}. */
    CompletionStage<Answer> answer(Caller caller, Exchange exchange);
}
