package dev.holdfast.spring.boot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Ends the start on a Spring Boot that is too old. With Boot 3.5 an application starts, but its Netty lacks classes that nodes need: no connection is ever
 * made, and the first call waits.
 *
 * <p>As an initializer it runs before any class of an auto-configuration is read, since some of those do not exist on an older Boot.
 */
public final class BootVersion implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final int OLDEST_MAJOR = 4;
    private static final Pattern MAJOR = Pattern.compile("(\\d{1,9})\\..*");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        require();
    }

    /** Throws on a version that is too old. */
    static void require() {
        require(SpringBootVersion.getVersion());
    }

    /** The same for a version as Spring Boot names it; one that it does not name is not refused. */
    static void require(@Nullable String version) {
        Matcher major = MAJOR.matcher(version == null ? "" : version);
        if (major.matches() && Integer.parseInt(major.group(1)) < OLDEST_MAJOR) {
            throw new OldBootException(String.valueOf(version));
        }
    }
}
