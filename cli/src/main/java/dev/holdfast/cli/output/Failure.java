package dev.holdfast.cli.output;

/** A failure that ends the command line with one line on standard error and an exit code. */
public final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int exitCode;

    public Failure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public Failure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public static Failure usage(String message) {
        return new Failure(ExitCode.USAGE, message);
    }

    public int exitCode() {
        return exitCode;
    }
}
