package dev.holdfast.cli.output;

/** The options of the command line that replace the settings of the API in the reasons of nodes. */
final class OptionNames {

    private static final String PASSWORD = "set HOLDFAST_PASSWORD or --password-file";
    private static final String NO_TOKEN = "the server wants a token, or does not know this one";
    private static final String SENTINEL = "set HOLDFAST_SENTINEL_PASSWORD";

    private OptionNames() {}

    static String in(String reason) {
        return reason.replace("the server wants a password (", "the server wants a password: " + PASSWORD + " (")
                .replace("the sentinel wants a password (", "the sentinel wants a password: " + SENTINEL + " (")
                .replace(NO_TOKEN, "the server wants a token, or does not know yours: " + PASSWORD)
                .replace("(trustedCertificates)", "(--tls-ca)")
                .replace("(clientCertificate)", "(--tls-cert and --tls-key)");
    }
}
