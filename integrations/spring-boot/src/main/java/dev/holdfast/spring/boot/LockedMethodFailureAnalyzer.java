package dev.holdfast.spring.boot;

import dev.holdfast.spring.LockedMethodException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A failure analyzer that names the method that stopped the start. */
final class LockedMethodFailureAnalyzer extends AbstractFailureAnalyzer<LockedMethodException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockedMethodException cause) {
        return new FailureAnalysis(cause.what(), cause.remedy(), cause);
    }
}
