package dev.holdfast.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard output. Unlike {@link System#out}, it notices failed writes. If the reader has closed the pipe, the command ends as any other
 * command does; a full disk is an error.
 */
public final class Output {

    private static final int SIGPIPE = 13;

    private Output() {}

    public static void print(String text) {
        try {
            OutputStream out = new FileOutputStream(FileDescriptor.out);
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            boolean readerGone = String.valueOf(e.getMessage()).contains("Broken pipe");
            throw readerGone
                    ? new Failure(ExitCode.SIGNAL + SIGPIPE, "")
                    : new Failure(ExitCode.OUTPUT, "standard output cannot be written: " + e.getMessage(), e);
        }
    }
}
