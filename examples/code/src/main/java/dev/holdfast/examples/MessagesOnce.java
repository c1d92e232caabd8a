package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.recipe.OnceGuard;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Messages come more than once, and to more than one consumer; each is handled once. */
public final class MessagesOnce {

    private final Holdfast holdfast;

    /** A consumer that remembers on these nodes what was done. */
    public MessagesOnce(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** Whether the message may be acknowledged: it was handled now, or before. */
    public boolean handle(String message, Consumer<String> work) throws InterruptedException {
        // recipe:begin
        OnceGuard once = holdfast.once("message:" + message, Duration.ofDays(7)); // longer than duplicates may be late
        OnceGuard.Outcome<Boolean> outcome = once.run(Duration.ZERO, lease -> work.accept(message));
        return !(outcome instanceof OnceGuard.Busy); // another worker has it and may fail, so the message stays
        // recipe:end
    }

    /** Three messages, one of them twice. Arguments: the nodes, or none for in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(Nodes.orMemory(arguments, 0))) {
            MessagesOnce consumer = new MessagesOnce(holdfast);
            for (String message : List.of("a", "b", "a", "c")) {
                consumer.handle(message, text -> System.out.println("handled " + text));
            }
        }
    }
}
