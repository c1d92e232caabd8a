package dev.holdfast.cli.command;

import dev.holdfast.cli.output.Failure;
import java.util.List;

/** A name and a command as they came from the command line. */
final class CommandWords {

    private CommandWords() {}

    /** Refuses what can't be meant. */
    static void check(String name, List<String> command, boolean shell) {
        if (shell && command.size() != 1) {
            throw Failure.usage(
                    "-c takes one string, but " + command.size() + " arguments are given: quote them as one");
        }
        if (name.isEmpty()) {
            throw Failure.usage("the lock's name is empty");
        }
        if (name.indexOf('\uFFFD') >= 0 || command.stream().anyMatch(text -> text.indexOf('\uFFFD') >= 0)) {
            throw Failure.usage("an argument is not UTF-8, and would not reach the command as it is");
        }
    }
}
