package dev.holdfast.cli.command;

import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.settings.ConfigFile.Setting;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.server.LockServerBuilder;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of a lock server's certificate and key, each from its option or from the config file. */
final class HttpsFiles {

    private final Named certificate;
    private final Named key;

    /** One file, if there is one, with the name of the option or of the key of the config file that it is from. */
    private record Named(String setting, Optional<Path> file) {

        static Named of(@Nullable Path option, String name, Setting setting, Settings settings) {
            return new Named(option == null ? name : "--" + name, settings.serverFile(option, setting));
        }

        boolean isIn(String message) {
            return file.filter(path -> message.startsWith("the file " + path + " can't be used"))
                    .isPresent();
        }
    }

    /** Finds the files. */
    HttpsFiles(@Nullable Path certificate, @Nullable Path key, Settings settings) {
        this.certificate = Named.of(certificate, "https-cert", Setting.HTTPS_CERT, settings);
        this.key = Named.of(key, "https-key", Setting.HTTPS_KEY, settings);
    }

    /** Returns whether the server uses TLS. */
    boolean isTls() {
        return certificate.file.isPresent();
    }

    /** Sets the files of the server, if there are any. */
    void addTo(LockServerBuilder builder) {
        if (certificate.file.isPresent() != key.file.isPresent()) {
            throw Failure.usage("--https-cert and --https-key belong together, but only one of them is set");
        }
        if (certificate.file.isPresent() && key.file.isPresent()) {
            builder.tls(certificate.file.get(), key.file.get());
        }
    }

    /** Returns the server's message about a wrong file with the setting of that file in front, and any other message as it is. */
    String named(String message) {
        boolean ofCertificate = certificate.isIn(message);
        boolean ofKey = key.isIn(message);
        if (!ofCertificate && !ofKey) {
            return message;
        }
        String setting = ofCertificate && ofKey
                ? certificate.setting + " and " + key.setting
                : ofCertificate ? certificate.setting : key.setting;
        return setting + ": " + message;
    }
}
