package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.recipe.OnceGuard;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A consumer of messages that arrive more than once and at more than one consumer. It handles each message once. */
public final class MessagesOnce {

    private final Holdfast holdfast;

    /** Creates a consumer that records handled messages on the nodes of this client. */
    public MessagesOnce(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** Handles the message unless it was handled before. Returns true if the message may be acknowledged. */
    public boolean handle(String message, Consumer<String> work) throws InterruptedException {
        // recipe:begin
        OnceGuard once = holdfast.once("message:" + message, Duration.ofDays(7)); // longer than any duplicate's delay
        OnceGuard.Outcome<Boolean> outcome = once.run(Duration.ZERO, lease -> work.accept(message));
        return !(outcome instanceof OnceGuard.Busy); // another worker has it and may fail, so the message stays
        // recipe:end
    }

    /** Handles three messages, one of them twice. The arguments are the nodes; without any, locks are in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(Nodes.orMemory(arguments, 0))) {
            MessagesOnce consumer = new MessagesOnce(holdfast);
            for (String message : List.of("a", "b", "a", "c")) {
                consumer.handle(message, text -> System.out.println("handled " + text));
            }
        }
    }
}
