package dev.holdfast.testkit.textbook;

import java.util.concurrent.CompletionStage;

/**
 * One of the independent servers that the textbook client asks, with the three commands that it needs. Thread-safe.
 *
 * <p>An answer may come on any thread, at once, late or never: the client has a timeout of its own. A stage that fails
 * counts as {@link KeyAnswer#UNKNOWN}.
 */
public interface KeyNode {

    /** Executes {@code SET key value NX PX ttlMillis}: YES if there was no such key. */
    CompletionStage<KeyAnswer> setIfAbsent(String key, String value, long ttlMillis);

    /** Deletes the key if it holds this value, in one step: YES if it did. */
    CompletionStage<KeyAnswer> deleteIfEqual(String key, String value);

    /** Executes {@code PEXPIRE key ttlMillis} if the key holds this value, in one step: YES if it did. */
    CompletionStage<KeyAnswer> expireIfEqual(String key, String value, long ttlMillis);
}
