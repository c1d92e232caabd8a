package dev.holdfast.cli.output;

/** The options of the command line in the place of the settings of the API, which the reasons of nodes name. */
final class OptionNames {

    private OptionNames() {}

    static String in(String reason) {
        return reason.replace("(trustedCertificates)", "(--tls-ca)")
                .replace("(clientCertificate)", "(--tls-cert and --tls-key)");
    }
}
