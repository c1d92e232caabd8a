package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastException;

/** A client for one command: opened, asked, closed. */
final class Client {

    /** What a command asks. */
    interface Question {

        int ask(Holdfast holdfast) throws InterruptedException;
    }

    private Client() {}

    static int ask(Settings settings, Question question) throws InterruptedException {
        try (Holdfast holdfast = settings.connect()) {
            return question.ask(holdfast);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.NO_QUORUM, String.valueOf(e.getMessage()), e);
        }
    }
}
