package dev.holdfast.testkit.textbook;

import dev.holdfast.testkit.ManualMachine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A server with a separate table that answers at once, late, or never although it carries out the request; or it is down. */
final class MoodyKeyNode implements KeyNode {

    final KeyTable table = new KeyTable();
    private final ManualMachine machine;
    private final KeyNode node;
    private Duration delay = Duration.ZERO;
    private boolean mute;
    private boolean down;

    MoodyKeyNode(ManualMachine machine) {
        this.machine = machine;
        this.node = table.node(machine.timing().ticker());
    }

    /** Delays each answer by this time. */
    void slow(Duration delay) {
        this.delay = delay;
    }

    /** The server carries out the request, and sends no answer. */
    void mute(boolean mute) {
        this.mute = mute;
    }

    /** The server does nothing, and the caller gets an unknown outcome, as after a broken connection. */
    void down(boolean down) {
        this.down = down;
    }

    int keys() {
        return table.size(machine.timing().ticker().wallMillis());
    }

    @Override
    public CompletionStage<KeyAnswer> setIfAbsent(String key, String value, long ttlMillis) {
        return say(() -> node.setIfAbsent(key, value, ttlMillis));
    }

    @Override
    public CompletionStage<KeyAnswer> deleteIfEqual(String key, String value) {
        return say(() -> node.deleteIfEqual(key, value));
    }

    @Override
    public CompletionStage<KeyAnswer> expireIfEqual(String key, String value, long ttlMillis) {
        return say(() -> node.expireIfEqual(key, value, ttlMillis));
    }

    private CompletionStage<KeyAnswer> say(Supplier<CompletionStage<KeyAnswer>> command) {
        if (down) {
            return CompletableFuture.completedStage(KeyAnswer.UNKNOWN);
        }
        CompletionStage<KeyAnswer> answer = command.get();
        if (delay.isZero() && !mute) {
            return answer;
        }
        CompletableFuture<KeyAnswer> later = new CompletableFuture<>();
        if (!mute) {
            machine.timing()
                    .scheduler()
                    .schedule(
                            delay.toNanos(),
                            () -> later.complete(answer.toCompletableFuture().join()));
        }
        return later;
    }
}
