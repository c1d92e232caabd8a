package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.message.Answer;
import java.util.concurrent.CompletionStage;

/** What a {@link Route} does. It never blocks. */
@FunctionalInterface
public interface Action {

    /** Carries a request out. The answer may come later, or be a {@link dev.holdfast.server.message.Problem}. */
    CompletionStage<Answer> answer(Caller caller, Exchange exchange);
}
