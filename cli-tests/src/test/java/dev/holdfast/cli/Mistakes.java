package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Runs command lines with a mistake in this process, and checks how they are rejected. */
final class Mistakes {

    /** The name of a Java class, or the beginning of a stack trace. */
    private static final Pattern JAVA =
            Pattern.compile("\\b[a-z]+(\\.[a-z]\\w*)+\\.[A-Z]\\w+|\\w(Exception|Error)\\b|\\tat |\\bnull\\b|PT[0-9]");

    private static final int LONGEST_LINE = 600;

    /** No host can have so long a name, so that no name server is asked: one that is slow, or not there, changes nothing. */
    static final String UNKNOWN_HOST = "no-such-host-" + "x".repeat(63);

    private Mistakes() {}

    /**
     * Checks that a command line ends with this exit code and one plain line.
     *
     * @param words the arguments, separated by blanks
     * @param replacements the arguments that the words in braces stand for
     */
    static void assertRejected(int code, String words, String expected, Map<String, String> replacements) {
        List<String> arguments = new ArrayList<>();
        for (String word : words.split(" ")) {
            String argument = word;
            for (Map.Entry<String, String> replacement : replacements.entrySet()) {
                argument = argument.replace("{" + replacement.getKey() + "}", replacement.getValue());
            }
            arguments.add(argument);
        }
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            exitCode = Main.run(arguments.toArray(String[]::new));
        } finally {
            System.setErr(before);
        }
        String line = err.toString(StandardCharsets.UTF_8);
        assertThat(line).hasLineCount(1).startsWith("holdfast: ").contains(expected);
        assertThat(line).doesNotContain("secret").doesNotContainPattern(JAVA);
        assertThat(line.length()).isLessThan(LONGEST_LINE);
        assertThat(exitCode).as(line).isEqualTo(code);
    }
}
