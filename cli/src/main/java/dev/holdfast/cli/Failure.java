package dev.holdfast.cli;

/** What ends the command line with one line on standard error and an exit code. */
final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int exitCode;

    Failure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    Failure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    static Failure usage(String message) {
        return new Failure(ExitCode.USAGE, message);
    }

    int exitCode() {
        return exitCode;
    }
}
