package dev.holdfast.cli.output;

/** What the command line says to people, on standard error: whole lines that begin with its name. */
public final class Messages {

    private Messages() {}

    /** Returns whether stack traces and logs are wanted. */
    public static boolean isDebugging() {
        String debug = System.getenv("HOLDFAST_DEBUG");
        return debug != null && !debug.isBlank() && !debug.equals("0");
    }

    public static void say(String message) {
        System.err.println("holdfast: " + Printable.line(message));
    }

    /** One line for what went wrong, and the stack trace for who asked for it. */
    public static void fail(Throwable cause, String message) {
        if (!message.isEmpty()) {
            say(message);
        }
        if (isDebugging()) {
            cause.printStackTrace();
        }
    }
}
