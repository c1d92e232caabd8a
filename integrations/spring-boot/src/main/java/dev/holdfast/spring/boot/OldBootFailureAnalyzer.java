package dev.holdfast.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which Spring Boot ended the start. */
final class OldBootFailureAnalyzer extends AbstractFailureAnalyzer<OldBootException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, OldBootException cause) {
        return new FailureAnalysis(cause.what(), OldBootException.REMEDY, cause);
    }
}
