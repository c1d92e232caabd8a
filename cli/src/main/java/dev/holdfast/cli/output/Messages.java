package dev.holdfast.cli.output;

/** The messages of the command line to people, on standard error: whole lines that begin with the program's name. */
public final class Messages {

    private Messages() {}

    /** Returns whether the user requested stack traces and logs. */
    public static boolean isDebugging() {
        String debug = System.getenv("HOLDFAST_DEBUG");
        return debug != null && !debug.isBlank() && !debug.equals("0");
    }

    public static void say(String message) {
        System.err.println("holdfast: " + Printable.line(OptionNames.in(message)));
    }

    /** Prints one line about a failure, and its stack trace if the user requested that. */
    public static void fail(Throwable cause, String message) {
        if (!message.isEmpty()) {
            say(message);
        }
        if (isDebugging()) {
            cause.printStackTrace();
        }
    }
}
