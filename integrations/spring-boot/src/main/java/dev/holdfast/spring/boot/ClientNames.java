package dev.holdfast.spring.boot;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** The default client name of an application, which operators see as the holder of its locks. */
final class ClientNames {

    private static final int LONGEST = 100;

    private ClientNames() {}

    /** Returns {@code application@host:pid}; null if the application has no name, for the client's own default. */
    static @Nullable String of(Environment environment) {
        String application = environment.getProperty("spring.application.name");
        if (application == null || application.isBlank()) {
            return null;
        }
        String name = application + "@" + host(environment) + ":"
                + ProcessHandle.current().pid();
        String plain = name.replaceAll("[^0-9A-Za-z@._:-]", "_");
        return plain.substring(Math.max(plain.length() - LONGEST, 0));
    }

    private static String host(Environment environment) {
        String name = environment.getProperty("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
