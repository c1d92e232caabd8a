package dev.holdfast.cdi.portable;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/** The properties of an application: those of MicroProfile Config, or else system properties and environment variables. */
final class ApplicationProperties implements Function<String, Optional<String>> {

    @Override
    public Optional<String> apply(String name) {
        Function<String, Optional<String>> source = isPresent() ? MicroProfile.source() : null;
        return (source == null ? Optional.ofNullable(ofProcess(name)) : source.apply(name))
                .filter(value -> !value.isBlank());
    }

    private static boolean isPresent() {
        return OptionalClasses.isPresent("org.eclipse.microprofile.config.ConfigProvider");
    }

    private static @Nullable String ofProcess(String name) {
        String property = System.getProperty(name);
        return property != null ? property : System.getenv(variable(name));
    }

    /** Returns the environment variable for a property, by the rule of MicroProfile Config. */
    static String variable(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** Loaded only if the application has the API of MicroProfile Config. */
    private static final class MicroProfile {

        private MicroProfile() {}

        /** Returns the configuration; null if the API has no implementation. */
        static @Nullable Function<String, Optional<String>> source() {
            try {
                Config config = ConfigProvider.getConfig();
                return name -> config.getOptionalValue(name, String.class);
            } catch (IllegalStateException e) {
                return null;
            }
        }
    }
}
