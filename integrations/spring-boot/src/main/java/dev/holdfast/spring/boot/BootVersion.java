package dev.holdfast.spring.boot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A check that stops the start on a Spring Boot version that is too old. With Boot 3.5 an application starts, but its Netty lacks classes that the
 * nodes need: no connection is ever opened, and the first call waits.
 *
 * <p>It is an initializer so that it runs before Spring reads any auto-configuration class, since some of them do not exist on an older Boot.
 */
public final class BootVersion implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final int OLDEST_MAJOR = 4;
    private static final Pattern MAJOR = Pattern.compile("(\\d{1,9})\\..*");

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
        Matcher major = MAJOR.matcher(version == null ? "" : version);
        if (major.matches() && Integer.parseInt(major.group(1)) < OLDEST_MAJOR) {
            throw new OldBootException(String.valueOf(version));
        }
    }
}
