package dev.holdfast.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A failure analyzer that names the Spring Boot version that stopped the start. */
final class OldBootFailureAnalyzer extends AbstractFailureAnalyzer<OldBootException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, OldBootException cause) {
        return new FailureAnalysis(cause.what(), OldBootException.REMEDY, cause);
    }
}
