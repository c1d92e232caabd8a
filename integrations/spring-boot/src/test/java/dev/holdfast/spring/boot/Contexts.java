package dev.holdfast.spring.boot;

import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Applications in tests, on nodes in memory unless the test sets others. */
public final class Contexts {

    private Contexts() {}

    /** Returns an application with Holdfast's auto-configuration and nothing else. */
    public static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        PropertyPlaceholderAutoConfiguration.class,
                        HoldfastAutoConfiguration.class,
                        HoldfastIntegrationAutoConfiguration.class,
                        HoldfastMethodAutoConfiguration.class));
    }

    /** Returns {@link #bare} with a node in memory. */
    public static ApplicationContextRunner inMemory() {
        return bare().withPropertyValues("holdfast.nodes=memory:");
    }

    /** Returns the text that Spring Boot prints for a failed start, from Holdfast's failure analyzers. */
    public static FailureAnalysis analysis(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation(Contexts.class.getClassLoader())
                .load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, e) -> {}))
                .stream()
                .filter(analyzer -> analyzer.getClass().getName().startsWith("dev.holdfast"))
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing says what is wrong", failure));
    }
}
