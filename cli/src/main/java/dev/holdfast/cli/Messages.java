package dev.holdfast.cli;

/** What the command line says to people, on standard error: whole lines that begin with its name. */
final class Messages {

    private Messages() {}

    /** Whether stack traces and logs are wanted. */
    static boolean isDebugging() {
        String debug = System.getenv("HOLDFAST_DEBUG");
        return debug != null && !debug.isBlank() && !debug.equals("0");
    }

    static void say(String message) {
        System.err.println("holdfast: " + Printable.line(message));
    }

    /** One line for what went wrong, and the stack trace for who asked for it. */
    static void fail(Throwable cause, String message) {
        if (!message.isEmpty()) {
            say(message);
        }
        if (isDebugging()) {
            cause.printStackTrace();
        }
    }
}
