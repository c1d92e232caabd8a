package dev.holdfast.spring.boot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A check that stops the start on a Spring Boot version that is too old, with one line instead of a missing class.
 *
 * <p>It is an initializer so that it runs before Spring reads any auto-configuration class, since some of them do not exist on an older Boot.
 */
public final class BootVersion implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final int OLDEST_MAJOR = 3;
    private static final int OLDEST_MINOR = 5;
    private static final Pattern VERSION = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\..*");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        require();
    }

    /** Throws an exception if this Spring Boot version is too old. */
    static void require() {
        require(SpringBootVersion.getVersion());
    }

    /** Throws an exception if the given version is too old. An unknown version passes. */
    static void require(@Nullable String version) {
        Matcher parts = VERSION.matcher(version == null ? "" : version);
        if (parts.matches() && isTooOld(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))) {
            throw new OldBootException(String.valueOf(version));
        }
    }

    private static boolean isTooOld(int major, int minor) {
        return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    }
}
